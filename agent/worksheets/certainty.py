"""What a predicate says for certain, while some of the values it looks at are not known yet (Kleene's logic).

A field is asked for when its predicate holds; but a value that was volunteered early is only dropped when the predicate
can no longer hold: "not yet" is not "no".
"""

from __future__ import annotations

import ast
import dataclasses

from agent.worksheets.expressions import Nested, Program, Scope, evaluate, holds


def certain(program: Program, scope: Scope) -> bool | None:
    """Whether a predicate holds; None while values that are not known could decide it. Raises ExpressionError."""
    return _certain(program, program.expression, scope) if program.expression is not None else holds(program, scope)


def _certain(program: Program, node: ast.expr, scope: Scope) -> bool | None:
    match node:
        case ast.BoolOp(operator, operands):
            deciding = isinstance(operator, ast.Or)
            parts = [_certain(program, operand, scope) for operand in operands]
            if deciding in parts:
                return deciding
            return None if None in parts else not deciding
        case ast.UnaryOp(ast.Not(), operand):
            inner = _certain(program, operand, scope)
            return None if inner is None else not inner
    if any(_unknown(program, part, scope) for part in ast.walk(node) if isinstance(part, ast.Attribute)):
        return None
    return holds(_part(program, node), scope)


def _unknown(program: Program, attribute: ast.Attribute, scope: Scope) -> bool:
    value = evaluate(_part(program, attribute), scope)
    return value is None or (isinstance(value, Nested) and not value.complete)


def _part(program: Program, node: ast.expr) -> Program:
    return dataclasses.replace(program, body=(ast.copy_location(ast.Expr(node), node),))
