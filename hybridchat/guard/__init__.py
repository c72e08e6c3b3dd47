"""Thinking in a process that can be ended.

Understanding, parsing and searching compute, and what computes can get stuck on one message. So they run in a process
of their own, which is asked over a socket and killed when it takes longer than it may. Whoever asks keeps the turn's
lease, stores what happens, and can say in true words what went wrong.

    nursery   a process that has loaded the language once and forks a mind, ready to think, within milliseconds
    mind      a fork that works on one step at a time; a stuck one is killed, and the next one is forked
    agent     `agent.turn.Agent` from the outside: the same steps, done by a mind
"""
