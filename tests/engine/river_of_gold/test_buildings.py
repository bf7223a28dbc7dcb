"""§4.4, §5.2, §5.3 The 49 buildings, one by one, against a table copied from the tiles by hand.

The building under test stands on `shore_04` (region 1) unless a test says otherwise; A sails from `river_01` to
`river_02` and so visits it and three empty spaces, `shore_03`, `shore_05` and `shore_07`.
"""

from __future__ import annotations

from collections import Counter

import pytest

from engine.river_of_gold.box.buildings import BUILDINGS
from engine.river_of_gold.box.components import GOODS, BuildingSet
from tests.engine.river_of_gold.conftest import Story, bag, build, discard, good, sail

TABLE = """
    era1_port_1       1   3 koku        | 1 rice
    era1_port_2       0   3 koku        | 1 koku 1 porcelain
    era1_port_3       4   3 koku        | 1 favor
    era1_port_4       3   3 koku        | koku per port
    era1_port_5       3   3 koku        | 1 vp
    era1_port_6       1   3 koku        | 1 favor 1 vp
    era1_market_1     4   1 silk        | 2 koku
    era1_market_2     1   1 rice        | 1 favor 1 vp
    era1_market_3     2   1 porcelain   | 1 koku 1 vp
    era1_market_4     3   1 silk        | 1 vp
    era1_market_5     4   1 rice        | 1 favor
    era1_market_6     3   1 porcelain   | koku per market
    era1_manor_1      1   2 influence   | 1 silk
    era1_manor_2      0   2 influence   | 1 koku 1 rice
    era1_manor_3      4   2 influence   | 1 favor
    era1_manor_4      3   2 influence   | koku per manor
    era1_manor_5      4   2 influence   | koku per customer
    era1_manor_6      3   2 influence   | 1 vp
    era1_shrine_1     1   2 vp          | 1 porcelain
    era1_shrine_2     0   2 vp          | 1 koku 1 silk
    era1_shrine_3     4   2 vp          | 1 favor
    era1_shrine_4     3   2 vp          | koku per shrine
    era1_shrine_5     2   2 vp          | 1 koku 1 vp
    era1_shrine_6     3   2 vp          | 1 vp
    era2_port_1       3   5 koku        | 2 vp
    era2_port_2       4   5 koku        | 1 any
    era2_port_3       4   5 koku        | 1 rice 1 favor
    era2_port_4       2   5 koku        | 3 vp
    era2_market_1     5   1 any         | 1 favor
    era2_market_2     5   1 any         | 1 influence
    era2_market_3     2   1 any         | 3 vp
    era2_market_4     3   1 any         | 2 vp
    era2_manor_1      5   3 influence   | 1 influence
    era2_manor_2      4   3 influence   | 1 porcelain 1 favor
    era2_manor_3      3   3 influence   | 2 vp
    era2_manor_4      2   3 influence   | 3 vp
    era2_shrine_1     5   3 vp          | 1 influence
    era2_shrine_2     5   3 vp          | 1 silk
    era2_shrine_3     4   3 vp          | 1 any
    era2_shrine_4     5   3 vp          | 1 favor
    start_port_1      -   3 koku
    start_port_2      -   3 koku
    start_manor_1     -   2 influence
    start_manor_2     -   2 influence
    start_shrine_1    -   2 vp
    start_shrine_2    -   2 vp
    imperial_market_porcelain - 1 porcelain 1 favor
    imperial_market_rice      - 1 rice 1 favor
    imperial_market_silk      - 1 silk
"""
"""Tile, influence for its builder, visitor reward | owner reward. `any`: a good of choice; neutral tiles have no bar.

The silk imperial market also lets its visitor draw and discard a customer.
"""

BONUS: dict[str, int] = {}
VISITOR: dict[str, str] = {}
OWNER: dict[str, str] = {}
for line in TABLE.strip().splitlines():
    printed, _, owned = line.partition("|")
    name, bonus, *reward = printed.split()
    VISITOR[name] = " ".join(reward)
    if bonus != "-":
        BONUS[name], OWNER[name] = int(bonus), owned.strip()

SHORE, REGION = 4, 1
EMPTY_AROUND = {"koku": 3}
"""§5.2 What A gains from the three empty spaces."""
NEUTRAL = [tile for tile in VISITOR if tile not in OWNER]
ERA_1 = [tile for tile in OWNER if tile.startswith("era1")]
BONUS_FROM_0 = ({}, {}, {"porcelain": 1}, {"porcelain": 1}, {"porcelain": 1}, {"porcelain": 1, "koku": 2})
"""§4.6 What the track of region 1 or 4 gives on the way from 0 to 0, 1, 2, 3, 4, 5."""
COUNTED = {"port": 2, "market": 2, "manor": 2, "shrine": 2, "customer": 3}
"""What B has of each in `scene`, the building under test left out."""

every_building = pytest.mark.parametrize("tile", VISITOR)
every_ownable_building = pytest.mark.parametrize("tile", OWNER)
every_neutral_building = pytest.mark.parametrize("tile", NEUTRAL)
every_era_1_building = pytest.mark.parametrize("tile", ERA_1)


def kind_of(tile: str) -> str:
    return tile.split("_")[1]


def told(reward: str, per: int = 0) -> Counter[str]:
    """What a printed reward comes to; the good of choice is taken as rice. `per`: what `koku per …` counts."""
    if reward.startswith("koku per"):
        return Counter(koku=per)
    words = reward.split()
    names = ("rice" if name == "any" else name for name in words[1::2])
    return Counter({name: int(number) for number, name in zip(words[::2], names, strict=True)})


def counted(tile: str) -> int:
    """§5.3 What B's `koku per …` of this tile counts: two other buildings of the type and itself, or three customers."""
    word = OWNER[tile].split()[-1]
    return COUNTED[word] + (word == kind_of(tile)) if OWNER[tile].startswith("koku per") else 0


def purse(story: Story, letter: str, region: int = REGION) -> Counter[str]:
    player = story.player(letter)
    goods = {kind.value: count for kind, count in zip(GOODS, player.goods, strict=True)}
    track = player.tracks[region - 1]
    return Counter(koku=player.koku, favor=player.favor, vp=player.vp, influence=track, **goods)


def gain(before: Story, after: Story, letter: str, region: int = REGION) -> Counter[str]:
    """What a player has more than before."""
    was, now = purse(before, letter, region), purse(after, letter, region)
    return Counter({name: now[name] - was[name] for name in now if now[name] != was[name]})


def scene(a_match, tile: str, owners: str) -> Story:
    """A to sail by 1 past the tile; everybody stands on space 13 of region 1's track, far from its next reward.

    B owns two buildings of every type elsewhere, one of them with both markers, and has three delivered customers.
    """
    story = a_match(3).masteries()
    for letter in "ABC":
        story = story.influence(letter, r1=13).with_player(letter, koku=5, favor=0)
    story = story.delivered("B", "elder_1", "elder_2", "monk_1")
    for shore, other, markers in (
        (16, "era1_port_5", "BB"),
        (18, "era1_port_6", "B"),
        (19, "era1_market_5", "B"),
        (20, "era1_market_6", "BB"),
        (21, "era1_manor_5", "BC"),
        (22, "era1_manor_6", "B"),
        (23, "era1_shrine_5", "B"),
        (24, "era1_shrine_6", "CB"),
    ):
        story = story.building(shore, other if other != tile else f"{other[:-1]}1", markers)
    return story.building(SHORE, tile, owners).empty(3, 5, 7)


def visit(story: Story) -> Story:
    """A sails; every good of choice is rice, or silk, and the first card in hand is discarded."""
    story = story.plays("A", sail("upstream", 1))
    while story.waiting and (asked := story.waiting[0].split())[1] in {"good", "discard"}:
        letter, decision = asked
        if decision == "good":
            answer = good("rice" if story.player(letter).goods[1] < 6 else "silk")
        else:
            answer = discard(story.player(letter).hand[0].value)
        story = story.plays(letter, answer)
    return story


def test_the_table_tells_of_every_tile() -> None:
    """§2.1 24 of era 1, 16 of era 2, six starting tiles, three imperial markets; types as their names say."""
    assert {building.id.value for building in BUILDINGS} == {*VISITOR}
    assert {building.id.value: building.type for building in BUILDINGS} == {
        tile: kind_of(tile) if not tile.startswith("imperial") else "market" for tile in VISITOR
    }
    assert Counter(building.set for building in BUILDINGS) == {
        BuildingSet.ERA_1: 24,
        BuildingSet.ERA_2: 16,
        BuildingSet.STARTING: 6,
        BuildingSet.IMPERIAL_MARKET: 3,
    }


@every_ownable_building
def test_who_builds_it_gains_its_influence(a_match, tile) -> None:
    """§4.2 to §4.4 And pays, and has a marker on it; from the start slot there is no favor."""
    others = [other for other in OWNER if other != tile][:3]
    given = a_match().with_player("A", die=4, koku=9, favor=0).row(tile, *others)
    then = given.plays("A", build(16, tile))
    expected = Counter(BONUS_FROM_0[BONUS[tile]])
    expected.update(influence=BONUS[tile], koku=-9)
    assert gain(given, then, "A", 4) == expected
    assert then.owners(16) == "A"
    assert then.state.sites[15].building == tile
    assert tile not in then.state.row


@every_ownable_building
def test_a_rivals_ship_visits_it(a_match, tile) -> None:
    """§5.2, §5.3 The visitor gains the visitor reward, its owner the owner reward, nobody else anything."""
    given = scene(a_match, tile, "B")
    then = visit(given)
    assert gain(given, then, "A") == told(VISITOR[tile]) + Counter(EMPTY_AROUND)
    assert gain(given, then, "B") == told(OWNER[tile], counted(tile))
    assert gain(given, then, "C") == {}


@every_ownable_building
def test_its_owner_visits_it(a_match, tile) -> None:
    """§5.2, §5.3 Both rewards are the sailing player's; A owns nothing else and has no customers."""
    given = scene(a_match, tile, "A")
    then = visit(given)
    word = OWNER[tile].split()[-1]
    own = told(OWNER[tile], 1 if word == kind_of(tile) else 0)
    assert gain(given, then, "A") == told(VISITOR[tile]) + Counter(EMPTY_AROUND) + own
    assert gain(given, then, "B") == {}


@every_ownable_building
def test_two_markers_of_its_owner_double_the_owner_reward(a_match, tile) -> None:
    """§5.3, §10.4 Once for each marker; the building itself counts once all the same [A15]."""
    given = scene(a_match, tile, "BB")
    then = visit(given)
    once = told(OWNER[tile], counted(tile))
    assert gain(given, then, "A") == told(VISITOR[tile]) + Counter(EMPTY_AROUND)
    assert gain(given, then, "B") == once + once


@every_ownable_building
def test_owners_of_a_shared_building_both_gain(a_match, tile) -> None:
    """§5.3 [A16] W11: C, who shares a manor and a shrine with B elsewhere, counts what is C's."""
    given = scene(a_match, tile, "CB")
    then = visit(given)
    word = OWNER[tile].split()[-1]
    others = {"manor": 1, "shrine": 1}.get(word, 0)
    of_c = others + (word == kind_of(tile)) if OWNER[tile].startswith("koku per") else 0
    assert gain(given, then, "A") == told(VISITOR[tile]) + Counter(EMPTY_AROUND)
    assert gain(given, then, "B") == told(OWNER[tile], counted(tile))
    assert gain(given, then, "C") == told(OWNER[tile], of_c)


@every_neutral_building
def test_a_neutral_building_rewards_its_visitor_alone(a_match, tile) -> None:
    """§1.5 [A43]"""
    given = scene(a_match, tile, "")
    then = visit(given)
    assert gain(given, then, "A") == told(VISITOR[tile]) + Counter(EMPTY_AROUND)
    assert gain(given, then, "B") == gain(given, then, "C") == {}
    assert not any(line.startswith("owner_rewarded") for line in given.plays("A", sail("upstream", 1)).lines)


def test_the_silk_imperial_market_lets_its_visitor_draw_and_discard(a_match) -> None:
    """§6.4 One card is drawn, then any one of the hand is discarded, face up."""
    given = scene(a_match, "imperial_market_silk", "").hand("A", "elder_3", "elder_4")
    given = given.deck("monk_6", "noble_6", "elder_6")
    story = given.plays("A", sail("upstream", 1), luck=[1])
    assert story.waiting == ["A discard"]
    assert story.player("A").hand == ("elder_3", "elder_4", "monk_6")
    story = story.plays("A", discard("elder_3"), luck=[])
    assert story.player("A").hand == ("elder_4", "monk_6")
    assert story.state.discards == ("elder_3",)
    assert story.state.deck == ("elder_6", "noble_6")


@every_building
def test_a_visitor_with_everything_gains_nothing_but_victory_points(a_match, tile) -> None:
    """§1.4, §11.3 Every cap is reached, the track is at its end: what is above is lost and no good is asked for."""
    owners = "B" if tile in OWNER else ""
    given = scene(a_match, tile, owners).influence("A", r1=18)
    given = given.with_player("A", koku=25, goods=(6, 6, 6), favor=3)
    story = given.plays("A", sail("upstream", 1))
    assert "A good" not in story.waiting
    then = visit(given)
    assert gain(given, then, "A") == Counter({"vp": told(VISITOR[tile])["vp"]}) + Counter()


@every_ownable_building
def test_an_owner_with_everything_gains_nothing_but_victory_points(a_match, tile) -> None:
    """§1.4, §11.3 Both markers are B's."""
    given = scene(a_match, tile, "BB").influence("B", r1=18)
    given = given.with_player("B", koku=25, goods=(6, 6, 6), favor=3)
    story = given.plays("A", sail("upstream", 1))
    assert "B good" not in story.waiting
    then = visit(given)
    assert gain(given, then, "B") == Counter({"vp": 2 * told(OWNER[tile])["vp"]}) + Counter()


@every_ownable_building
def test_the_last_unit_below_a_cap_is_gained(a_match, tile) -> None:
    """§1.4 [A26] W16: one below every cap, two markers: at most one more of everything but VP and influence."""
    given = scene(a_match, tile, "BB").with_player("B", koku=24, goods=(5, 5, 5), favor=2)
    then = visit(given)
    once = told(OWNER[tile], counted(tile))
    if "any" in OWNER[tile]:
        assert gain(given, then, "B") == {"rice": 1, "silk": 1}
        return
    gained = {name: number if name in {"vp", "influence"} else 1 for name, number in (once + once).items()}
    assert gain(given, then, "B") == gained


@every_era_1_building
def test_at_the_emperors_visit_every_marker_is_rewarded_and_no_visitor(a_match, tile) -> None:
    """§8.2 [A42] The last tile of era 1 enters the row: C, then B has the owner reward; nobody is asked anything."""
    given = scene(a_match, tile, "CB").stacks(1, 11).with_player("A", die=6, koku=5)
    others = [site.building for site in given.state.sites if site is not None and site.markers]
    assert tile in others
    given = given.row(*[each for each in ERA_1 if each not in others][:4])
    story = given.plays("A", build(30, given.state.row[0].value))
    visits = [event for event in story.events if event.__struct_config__.tag == "owner_rewarded"]
    here = [event for event in visits if event.shore == f"shore_{SHORE:02}"]
    assert [(event.seat, event.emperor) for event in here] == [(2, True), (1, True)]
    of_b = {name: getattr(here[1].gains, name) for name in here[1].gains.__struct_fields__}
    assert Counter({name: number for name, number in of_b.items() if number}) == told(
        OWNER[tile], counted(tile)
    )
    assert not any(event.__struct_config__.tag == "visitor_rewarded" for event in story.events)


def test_owner_rewards_of_one_kind_come_from_every_visited_building(a_match) -> None:
    """§5.3 Two buildings of B around the ship, one double-marked: three rewards, in ascending shore number [A38]."""
    given = (
        a_match()
        .building(7, "era1_port_5", "BB")
        .building(3, "era1_market_1", "B")
        .empty(4, 5)
        .with_player("B", koku=0)
    )
    story = given.plays("A", sail("upstream", 1))
    owned = [event for event in story.events if event.__struct_config__.tag == "owner_rewarded"]
    assert [event.shore for event in owned] == ["shore_03", "shore_07", "shore_07"]
    assert gain(given, story, "B") == {"koku": 2, "vp": 2}


def test_influence_of_a_building_is_in_the_region_where_it_stands(a_match) -> None:
    """§5.3 River space 2 touches regions 1 and 2: the manor on `shore_07` is region 2's, for visitor and owner."""
    given = a_match().building(7, "era2_manor_1", "B").empty(3, 4, 5)
    story = given.plays("A", sail("upstream", 1))
    assert story.player("A").tracks == (0, 3, 0, 0, 0, 0)
    assert story.player("B").tracks == (0, 1, 0, 0, 0, 0)
    assert story.player("A").goods == bag("R")


def test_the_visitor_chooses_before_the_owners_are_rewarded(a_match) -> None:
    """§5.2, §5.3, §11.3 A's good of choice is settled in its own step; B's favor comes after it."""
    given = scene(a_match, "era2_market_1", "B")
    story = given.plays("A", sail("upstream", 1))
    assert story.waiting == ["A good"]
    assert gain(given, story, "B") == {}
    story = story.plays("A", good("silk"))
    assert gain(given, story, "B") == {"favor": 1}


def test_two_owners_choose_clockwise_from_the_visitor(a_match) -> None:
    """§11.3 C's marker came first, B sits nearer to A."""
    story = scene(a_match, "era2_shrine_3", "CB").plays("A", sail("upstream", 1))
    assert story.waiting == ["B good"]
    story = story.plays("B", good("porcelain"))
    assert story.waiting == ["C good"]
    story = story.plays("C", good("silk"))
    assert (story.player("B").goods, story.player("C").goods) == (bag("P"), bag("S"))


def test_two_markers_ask_twice_and_a_kind_at_its_cap_is_no_option(a_match) -> None:
    """§11.3 [A26]"""
    story = scene(a_match, "era2_port_2", "BB").goods("B", "6S 5R 6P").plays("A", sail("upstream", 1))
    assert story.waiting == ["B good"]
    assert {line for line in story.legal("B") if line.startswith("choose")} == {"choose_good(good=rice)"}
    story = story.plays("B", good("rice"))
    assert story.player("B").goods == (6, 6, 6)
    assert not any(asked.startswith("B") for asked in story.waiting)
