"""Running the agent in processes that can be ended.

Understanding, parsing and searching are computation, and computation can get stuck on one message. So they run in a
process of their own, which is asked over a socket and killed when it takes longer than it may. The worker that asks
keeps the turn's lease, stores the events, and can say truthfully what went wrong.

    agent         `agent.turn.Agent` seen from the outside: the same steps, done in an agent process
    process       a connection to one agent process, which works on one step at a time
    fork_server   keeps the fork server running and asks it for agent processes
    forking       the fork server itself: loads the agent once, then forks agent processes within milliseconds
    serving       what an agent process does
"""
