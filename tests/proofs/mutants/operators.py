"""The small mistakes that are made: cosmic-ray's operators, and two of ours that go through the same interface.

Which of cosmic-ray's are left out, and why:

- Of the replacements of a binary operator or a comparison, all but one for each: `+` becomes `-`, and not `*`, `//` and eight
  others too. What notices one of them notices the others, and a sample would hold little else. A comparison moves its edge
  (`<` to `<=`); that it is not the opposite, AddNot asks.
- `USub_UAdd`, `USub_Invert`, `UAdd_…`, `Invert_…`: the same of a sign. It is deleted.
- `VariableReplacer` and `VariableInserter`: they put a random number somewhere, another one each time, and have to be told
  names of variables. A mutant must be the same when it is looked at again.
- `NoOp`: it changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

import parso
from cosmic_ray.operators.binary_operator_replacement import operators as binary
from cosmic_ray.operators.boolean_replacer import (
    AddNot,
    ReplaceAndWithOr,
    ReplaceFalseWithTrue,
    ReplaceOrWithAnd,
    ReplaceTrueWithFalse,
)
from cosmic_ray.operators.break_continue import ReplaceBreakWithContinue, ReplaceContinueWithBreak
from cosmic_ray.operators.comparison_operator_replacement import operators as comparisons
from cosmic_ray.operators.exception_replacer import ExceptionReplacer
from cosmic_ray.operators.number_replacer import NumberReplacer
from cosmic_ray.operators.operator import Example, Operator
from cosmic_ray.operators.remove_decorator import RemoveDecorator
from cosmic_ray.operators.unary_operator_replacement import operators as unary
from cosmic_ray.operators.zero_iteration_for_loop import ZeroIterationForLoop

REPLACED: Final = (
    *("Add_Sub", "Sub_Add", "Mul_FloorDiv", "Div_Mul", "FloorDiv_Mul", "Mod_FloorDiv", "Pow_Mul"),
    *("LShift_RShift", "RShift_LShift", "BitOr_BitAnd", "BitAnd_BitOr", "BitXor_BitOr"),
    *("Eq_NotEq", "NotEq_Eq", "Lt_LtE", "LtE_Lt", "Gt_GtE", "GtE_Gt", "Is_IsNot", "IsNot_Is"),
    *("Delete_Not", "Delete_USub", "Delete_Invert"),
)
"""The ends of the names of the replacements that are made."""

Span = tuple[tuple[int, int], tuple[int, int]]
"""From where to where in a file: lines from 1, columns in characters from 0."""


class OmitCall(Operator):
    """Leaves out a call that is a statement: what is taken is not given back, what happened is told to nobody."""

    def mutation_positions(self, node: Any) -> Iterator[Span]:
        if self._is_call(node):
            yield (node.start_pos, node.end_pos)

    def mutate(self, node: Any, index: int) -> Any:
        """Return `pass` instead of the call, where it stood."""
        first = node.get_first_leaf()
        return parso.python.tree.Keyword("pass", node.start_pos, prefix=first.prefix)

    @staticmethod
    def _is_call(node: Any) -> bool:
        if node.type not in {"atom_expr", "power"} or node.parent.type not in {"simple_stmt", "suite"}:
            return False
        last = node.children[-1]
        return last.type == "trailer" and last.children[0].value == "("

    @classmethod
    def examples(cls) -> tuple[Example, ...]:
        return (
            Example("self.slots.release(1)\n", "pass\n"),
            Example("if x:\n    await stop()\n", "if x:\n    pass\n"),
        )


class OppositeMembership(Operator):
    """Replaces `in` by `not in`, and the other way round."""

    def mutation_positions(self, node: Any) -> Iterator[Span]:
        if node.type == "comparison":
            for operator in node.children[1::2]:
                if self._opposite(operator):
                    yield (operator.start_pos, operator.end_pos)

    def mutate(self, node: Any, index: int) -> Any:
        """Return the comparison with the `index`th membership turned round."""
        places = [at for at in range(1, len(node.children), 2) if self._opposite(node.children[at])]
        at = places[index]
        node.children[at] = parso.parse(f" {self._opposite(node.children[at])}")
        return node

    @staticmethod
    def _opposite(operator: Any) -> str:
        return {"in": "not in", "not in": "in"}.get(" ".join(operator.get_code().split()), "")

    @classmethod
    def examples(cls) -> tuple[Example, ...]:
        return (Example("a in b", "a not in b"), Example("a not in b", "a in b"))


def _operators() -> Iterator[type[Operator]]:
    for one in (*binary(), *comparisons(), *unary()):
        if one.__name__.endswith(tuple(f"Operator_{end}" for end in REPLACED)):
            yield one
    yield from (AddNot, ReplaceTrueWithFalse, ReplaceFalseWithTrue, ReplaceAndWithOr, ReplaceOrWithAnd)
    yield from (ReplaceBreakWithContinue, ReplaceContinueWithBreak, ZeroIterationForLoop)
    yield from (ExceptionReplacer, NumberReplacer, RemoveDecorator, OmitCall, OppositeMembership)


OPERATORS: Final[Mapping[str, type[Operator]]] = {one.__name__: one for one in _operators()}
"""By name, in the order in which a module is gone through."""
