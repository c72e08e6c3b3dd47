"""One user turn, start to end: understand, parse, execute, respond. (The types it leaves behind are in `agent.record`.)"""

from agent.record import Card, Constraint, Outcome, Query, TurnState, past_turn

__all__ = ["Card", "Constraint", "Outcome", "Query", "TurnState", "past_turn"]
