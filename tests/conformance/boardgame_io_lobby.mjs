// The whole life of a match by npm boardgame.io's LobbyClient: the server's address, and the API key as a header.
import assert from "node:assert/strict";
import { createRequire } from "node:module";

const { LobbyClient, LobbyClientError } = createRequire(import.meta.url)("boardgame.io/client");
const { GATEWAY, KEY, GAME } = process.env;
const lobby = new LobbyClient({ server: `${GATEWAY}/bgio` });
const ours = { headers: { authorization: `Bearer ${KEY}` } };

async function refused(promise) {
  const error = await promise.then(() => assert.fail("it was let through"), (error) => error);
  assert.ok(error instanceof LobbyClientError, String(error));
  return `${error.message}: ${error.details.reason}`;
}

const began = Date.now();
const games = await lobby.listGames();
assert.ok(games.includes(GAME));

// An empty table, in the list for all.
const { matchID } = await lobby.createMatch(GAME, { numPlayers: 2, setupData: {} }, ours);
const { matchID: secret } = await lobby.createMatch(GAME, { numPlayers: 2, unlisted: true }, ours);
const listed = async (where) => (await lobby.listMatches(GAME, where, ours)).matches.map((match) => match.matchID);
assert.ok((await listed()).includes(matchID));
assert.ok(!(await listed()).includes(secret));
const empty = await lobby.getMatch(GAME, matchID, ours);
assert.deepEqual(empty.players, [{ id: 0 }, { id: 1 }]);
assert.equal(empty.unlisted, false);
assert.ok(Math.abs(empty.createdAt - began) < 60_000);

// Somebody comes, leaves, and comes back; then the second seat is taken, and the match begins.
const first = await lobby.joinMatch(GAME, matchID, { playerID: "1", playerName: "Ada" }, ours);
assert.equal(first.playerID, "1");
await lobby.leaveMatch(GAME, matchID, { playerID: "1", credentials: first.playerCredentials }, ours);
assert.deepEqual((await lobby.getMatch(GAME, matchID, ours)).players, [{ id: 0 }, { id: 1 }]);
const ada = await lobby.joinMatch(GAME, matchID, { playerName: "Ada" }, ours);
assert.equal(ada.playerID, "0");
const taken = await refused(lobby.joinMatch(GAME, matchID, { playerID: "0", playerName: "Bob" }, ours));
const bob = await lobby.joinMatch(GAME, matchID, { playerID: "1", playerName: "Bob", data: { colour: "teal" } }, ours);
assert.deepEqual((await lobby.getMatch(GAME, matchID, ours)).players, [
  { id: 0, name: "Ada" },
  { id: 1, name: "Bob", data: { colour: "teal" } },
]);

// They say something else of themselves, and all see it.
const update = (player, change) =>
  lobby.updatePlayer(GAME, matchID, { playerID: player.playerID, credentials: player.playerCredentials, ...change }, ours);
await update(ada, { newName: "Captain Ada", data: { colour: "gold" } });
await update(bob, { data: "shy" });
const nothing = await refused(update(bob, {}));
const longName = await refused(update(bob, { newName: "B".repeat(101) }));
const muchData = await refused(update(bob, { data: "b".repeat(1024) }));
const renamed = [
  { id: 0, name: "Captain Ada", data: { colour: "gold" } },
  { id: 1, name: "Bob", data: "shy" },
];
assert.deepEqual((await lobby.getMatch(GAME, matchID, ours)).players, renamed);
const { matches } = await lobby.listMatches(GAME, {}, ours);
assert.deepEqual(matches.find((match) => match.matchID === matchID).players, renamed);

// What they were given plays the match, under /v1.
const play = { headers: { authorization: `Bearer ${ada.playerCredentials}` } };
const legal = await fetch(`${GATEWAY}/v1/matches/${matchID}/legal-actions?samples=1`, play);
assert.equal((await legal.json()).seat, 0);

// Not with somebody else's credentials, nor with none.
const wrong = { playerID: "1", credentials: ada.playerCredentials };
const notHis = await refused(lobby.leaveMatch(GAME, matchID, wrong, ours));
const noKey = await refused(lobby.listMatches(GAME));
const unknown = await refused(lobby.getMatch(GAME, "no-such-match", ours));
const noGame = await refused(lobby.createMatch("chess", { numPlayers: 2 }, ours));

// Bob leaves; for two that is the end. Both ask to play again, and meet at one table.
assert.ok(!(await listed({ isGameover: true })).includes(matchID));
await lobby.leaveMatch(GAME, matchID, { playerID: "1", credentials: bob.playerCredentials }, ours);
const over = await lobby.getMatch(GAME, matchID, ours);
assert.deepEqual(over.gameover.winners, [0]);
assert.ok((await listed({ isGameover: true, updatedAfter: began - 60_000 })).includes(matchID));
assert.ok(!(await listed({ isGameover: false })).includes(matchID));
assert.ok(!(await listed({ updatedBefore: began - 60_000 })).includes(matchID));
const again = (player) =>
  lobby.playAgain(GAME, matchID, { playerID: player.playerID, credentials: player.playerCredentials }, ours);
const [{ nextMatchID }, other] = await Promise.all([again(ada), again(bob)]);
assert.equal(other.nextMatchID, nextMatchID);
assert.notEqual(nextMatchID, matchID);
assert.equal(over.nextMatchID, undefined);
assert.equal((await lobby.getMatch(GAME, matchID, ours)).nextMatchID, nextMatchID);
const next = await lobby.joinMatch(GAME, nextMatchID, { playerID: "0", playerName: "Ada" }, ours);
assert.notEqual(next.playerCredentials, ada.playerCredentials);

console.log(JSON.stringify({ matchID, nextMatchID, refusals: { taken, notHis, noKey, unknown, noGame, nothing, longName, muchData } }));
