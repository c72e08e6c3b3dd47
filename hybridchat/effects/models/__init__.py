"""Everything that worksheets bring about, one module per subject.

The rules that must always hold are constraints, and where a check cannot say them, triggers (migration 0002): no
half hour of a restaurant and no offering of a course takes more people than it has room for.
"""

from hybridchat.effects.models.enrollments import Enrollment
from hybridchat.effects.models.letters import Letter
from hybridchat.effects.models.owned import Owned, new_reference
from hybridchat.effects.models.receipts import Receipt
from hybridchat.effects.models.reservations import Closure, Reservation, Seating
from hybridchat.effects.models.tickets import Ticket, TicketReply

__all__ = [
    "Closure",
    "Enrollment",
    "Letter",
    "Owned",
    "Receipt",
    "Reservation",
    "Seating",
    "Ticket",
    "TicketReply",
    "new_reference",
]
