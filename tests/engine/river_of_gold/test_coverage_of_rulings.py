"""Every ruling of RULINGS.md is told by a test function that cites it, and by no function that does not exist any more."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

import engine.river_of_gold

HERE = Path(__file__).parent
RULINGS = Path(engine.river_of_gold.__file__).with_name("RULINGS.md").read_text(encoding="utf-8")
LISTED = re.findall(r"^\| ([AF]\d+) \|", RULINGS, re.MULTILINE)

WHERE = {
    "A1": "test_ch2_setup.py::test_everybody_rolls_before_the_first_turn",
    "A2": "test_board.py::test_the_starting_spaces_are_the_first_and_the_eighth",
    "A3": "test_journeys.py::test_leaving_the_last_space_completes_it",
    "A4": "test_journeys.py::test_only_the_last_space_is_visited_after_the_wrap",
    "A5": "test_journeys.py::test_every_order_is_possible_and_comes_to_the_same",
    "A6": "test_monks.py::test_the_limit_goes_up_before_the_favor_comes",
    "A7": "test_exchanges.py::test_every_decision_is_a_window_for_every_exchange",
    "A8": "test_rulings.py::test_a8_masteries_then_the_emperor_then_the_die",
    "A9": "test_rulings.py::test_a9_the_trigger_is_worth_five",
    "A10": "test_rulings.py::test_a10_the_row_is_refilled_within_the_action",
    "A11": "test_rulings.py::test_a11_with_too_few_cards_there_is_no_discard",
    "A12": "test_customers.py::test_after_the_delivery_two_cards_are_drawn_and_one_is_discarded",
    "A13": "test_rulings.py::test_a13_the_tops_lie_open_and_nothing_below_them",
    "A14": "test_monks.py::test_a_second_marker_needs_exactly_one_before_it",
    "A15": "test_buildings.py::test_two_markers_of_its_owner_double_the_owner_reward",
    "A16": "test_buildings.py::test_owners_of_a_shared_building_both_gain",
    "A17": "test_nobles.py::test_noble_3_gives_influence_in_each_region_the_river_space_touches",
    "A18": "test_nobles.py::test_noble_5_lets_the_royal_ship_use_the_face_above_or_below",
    "A19": "test_nobles.py::test_noble_1_gives_a_good_of_choice_instead_of_a_markets",
    "A20": "test_nobles.py::test_all_delivered_nobles_apply_in_the_order_3_4_6",
    "A21": "test_scorpion_patrons.py::test_hyobu_scores_for_a_rivals_advance_of_whatever_source",
    "A22": "test_scorpion_patrons.py::test_kachiko_collects_rewards_of_the_spaces_she_jumps",
    "A23": "test_patrons.py::test_ryoku_sets_the_die_to_any_face_for_a_favor",
    "A24": "test_patrons.py::test_kudaka_scores_for_her_first_customer_of_a_region",
    "A25": "test_patrons.py::test_kaiu_builds_in_every_region_whatever_the_die_shows",
    "A26": "test_journeys.py::test_what_would_bring_nothing_is_not_offered",
    "A27": "test_rulings.py::test_a27_a_ship_can_always_sail_and_nobody_passes",
    "A28": "test_rulings.py::test_a28_markers_never_run_out",
    "A29": "test_rulings.py::test_a29_koku_never_run_out",
    "A30": "test_monks.py::test_the_limit_goes_up_before_the_favor_comes",
    "A31": "test_monks.py::test_owner_rewards_of_an_opponents_building_go_to_both",
    "A32": "test_customers.py::test_exactly_the_order_is_paid",
    "A33": "test_rulings.py::test_a33_influence_of_a_building_is_in_its_own_region",
    "A34": "test_rulings.py::test_a34_tied_players_share_the_values_of_their_ranks",
    "A35": "test_elders.py::test_the_result_is_rounded_before_it_is_doubled",
    "A36": "test_rulings.py::test_a36_two_players_and_the_tile_with_one_value",
    "A37": "test_rulings.py::test_a37_a_full_mastery_is_not_claimed",
    "A38": "test_rulings.py::test_a38_ascending_and_fixed_gains_before_choices",
    "A39": "test_artisans.py::test_the_discount_is_what_is_paid",
    "A40": "test_rulings.py::test_a40_in_the_last_turns_the_end_slot_is_filled_and_keeps_its_favor",
    "A41": "test_rulings.py::test_a41_favor_breaks_ties",
    "A42": "test_rulings.py::test_a42_the_emperor_goes_from_shore_to_shore",
    "A43": "test_buildings.py::test_a_neutral_building_rewards_its_visitor_alone",
    "A44": "test_nobles.py::test_own_buildings_count_at_the_end",
    "A45": "test_rulings.py::test_a45_nobody_gets_a_turn_to_even_out",
    "F1": "test_further_rulings.py::test_f1_cards_and_tiles_are_drawn_when_they_are_needed",
    "F2": "test_further_rulings.py::test_f2_a_choice_with_one_useful_option_is_asked_and_may_wait_for_an_exchange",
    "F3": "test_exchanges.py::test_nobody_else_exchanges_meanwhile",
    "F4": "test_further_rulings.py::test_f4_the_order_of_bonuses_is_asked_while_two_are_left",
    "F5": "test_merchants.py::test_merchant_4_sells_no_good_for_nothing",
    "F6": "test_patrons.py::test_ryoku_may_buy_the_favor_at_her_die",
    "F7": "test_further_rulings.py::test_f7_the_first_dice_are_rolled_in_turn_order",
    "F8": "test_leaving.py::test_what_the_leaver_had_is_gone_and_its_cards_stay_with_it",
    "F9": "test_exchanges.py::test_the_closing_window_closes_itself_when_nothing_is_left_to_exchange",
    "F10": "test_further_rulings.py::test_f10_points_are_counted_by_their_source",
    "F11": "test_last_exchanges.py::test_a_favor_bought_out_of_turn_breaks_the_tie",
    "F12": "test_lapsing.py::test_who_could_make_room_is_asked_before_the_bonus_lapses",
    "F13": "test_ch2_setup.py::test_clans_may_be_given_by_seat",
    "F14": "test_ch9_patrons_setup.py::test_clans_that_are_named_take_the_place_of_the_deal",
    "F15": "test_further_rulings.py::test_f15_nobody_exchanges_between_the_gains_of_one_step",
}
"""For each ruling the test that shows it best; others cite it too."""


def functions() -> Iterator[tuple[str, str]]:
    """Every test function of this game with its source, decorators included, as `file::name`; and what its file is about."""
    for path in sorted(HERE.glob("test_*.py")):
        text = path.read_text(encoding="utf-8")
        lines = text.splitlines()
        module = ast.parse(text)
        for node in module.body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
                about = ast.get_docstring(module) or ""
                yield f"{path.name}::{node.name}", "\n".join([about, *lines[first - 1 : node.end_lineno]])


CITING = defaultdict(list)
for function, source in functions():
    for ruling in sorted(set(re.findall(r"\[([AF]\d+)\]", source))):
        CITING[ruling].append(function)


def test_every_ruling_has_a_line_here() -> None:
    assert list(WHERE) == LISTED
    assert LISTED[:45] == [f"A{n}" for n in range(1, 46)]


@pytest.mark.parametrize("ruling", LISTED)
def test_a_test_function_cites_the_ruling(ruling) -> None:
    """In its docstring, its cases or its body, or its whole file does; a comment between functions is not enough."""
    assert CITING[ruling]


@pytest.mark.parametrize("ruling", WHERE)
def test_the_test_of_the_ruling_exists_and_cites_it(ruling) -> None:
    assert WHERE[ruling] in CITING[ruling]


def test_no_test_cites_a_ruling_that_does_not_exist() -> None:
    assert {*CITING} <= {*LISTED}
