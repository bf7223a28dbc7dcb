/** Players by their names, also in sentences of the server, which calls them by the numbers of their seats. */
import type { Match } from "@foldtable/client";
import { message } from "../board/messages";
import type { Game } from "../board/shapes";

type Seat = Match["seats"][number];

/** Return what a seat is called. Seats of the same name, as in a fork where one person moves for all, are numbered from 1. */
export function seatName(number: number, seats: readonly Seat[], game: Game): string {
  const seat = seats[number]!;
  const name = nameOf(seat);
  if (name === "") return numbered(seat, game);
  return seats.some((other) => other !== seat && nameOf(other) === name) ? `${name} ${number + 1}` : name;
}

const nameOf = ({ name, player }: Seat) => name || player;

function numbered({ seat }: Seat, game: Game): string {
  return message(game, "seat", { seat }) ?? String(seat);
}

/** Return a function that writes a sentence of the server with the names of the players. */
export function named({ seats }: Pick<Match, "seats">, game: Game): (sentence: string) => string {
  const names = new Map(seats.map((seat) => [numbered(seat, game), seatName(seat.seat, seats, game)]));
  const numbers = [...names.keys()].map((number) => number.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const found = new RegExp(`(${numbers.join("|")})(?![\\p{L}\\d])`, "gu");
  return (sentence) => sentence.replace(found, (number) => names.get(number) ?? number);
}
