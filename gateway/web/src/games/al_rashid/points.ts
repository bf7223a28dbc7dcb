/** The points that a seat would have if the match ended now (§12). */
import { OFFICES } from "./offices";
import { GOODS, type SeatView } from "./view";

const MAX_INFLUENCE = 5;

/** Return the points of a seat by what it owns. All of that is public. */
export function pointsOf(seat: SeatView): number {
  const { pashas, merchants, sages } = seat.family;
  const offices = seat.offices.reduce((sum, { office }) => sum + pointsOfOffice(office, seat), 0);
  return 3 * pashas + 2 * merchants + sages + offices + Math.min(seat.influence, MAX_INFLUENCE) - 2 * seat.dishonor;
}

function pointsOfOffice(id: string, seat: SeatView): number {
  const office = OFFICES[id];
  if (office?.steps === undefined) return Number(office?.points ?? 0);
  const counted = count(id, seat);
  return office.steps.find(([least]) => counted >= least)?.[1] ?? 0;
}

/** Return how many there are of what an office counts. */
function count(id: string, { influence, offices, goods, family }: SeatView): number {
  const palaces = offices.map(({ office }) => OFFICES[office]?.palace);
  switch (id) {
    case "aide_to_the_qadi":
      return influence;
    case "steward_of_the_city":
      return new Set(palaces).size;
    case "warehouse_keeper":
      return GOODS.filter((good) => (goods[good] ?? 0) > 0).length;
    case "favorites_maiden":
      return palaces.filter((palace) => palace === "spies").length;
    case "weapon_master":
      return palaces.filter((palace) => palace === "military").length;
    case "dean_of_the_academy":
      return family.sages;
    case "economist":
      return family.merchants;
    default:
      return family.pashas;
  }
}
