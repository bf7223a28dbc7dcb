/** A seat's token that the server does not take any more. It is apart from account.ts, so that the first page does not load it. */
import { forgetSeat, keepSeats, seatingOf, seatsToPlay } from "./account";

/** Forget a token that is void; of several seats of a match keep the others. */
export function forgetToken(match: string, token: string): void {
  if (seatingOf(match)?.token !== token) return; // another tab has taken a seat meanwhile
  const others = seatsToPlay(match).filter((other) => other.token !== token);
  if (others[0]) keepSeats(match, others[0], others);
  else forgetSeat(match);
}
