"""A worksheet that no application has: appointments at a vet's, with a second task and a nested worksheet."""

from agent.worksheets.specification import EnumValue, Field, FieldType, Specification, Worksheet, WorksheetKind


def field(name: str, kind: str, description: str, *, required: bool = True, **more: object) -> Field:
    return Field.model_validate(
        {"name": name, "type": FieldType(name=kind), "description": description, "required": required, **more}
    )


CLINIC = Specification(
    name="clinic",
    title="Pawprint animal clinic",
    worksheets=(
        Worksheet(
            name="Appointment",
            title="appointment",
            verb="schedule",
            description="A visit to the vet with an animal.",
            actions="@schedule(day=self.day)",
            fields=(
                field("animal", "Animal", "The animal that is seen."),
                field(
                    "reason",
                    "Enum",
                    "Why the animal is brought.",
                    enum_values=(
                        EnumValue(value="Check-up"),
                        EnumValue(value="Vaccination"),
                        EnumValue(value="Dental cleaning"),
                        EnumValue(value="Injury or illness"),
                    ),
                ),
                field("day", "date", "The day of the visit."),
                field("arrival", "time", "When the visit begins."),
                field("owner_name", "str", "The owner's full name."),
                field("phone", "str", "A phone number to reach the owner."),
                field("first_visit", "bool", "Whether the animal comes for the first time."),
                field(
                    "remarks",
                    "str",
                    "Anything the vet should know: a fear of strangers, a special diet, medication.",
                    required=False,
                    ask=False,
                ),
                field("confirm", "confirm", "The owner agrees."),
            ),
        ),
        Worksheet(
            name="Animal",
            title="animal",
            description="Name, kind and weight of an animal.",
            fields=(
                field("pet_name", "str", "What the animal is called."),
                field(
                    "species",
                    "Enum",
                    "What kind of animal it is.",
                    enum_values=(EnumValue(value="Dog"), EnumValue(value="Cat"), EnumValue(value="Rabbit")),
                ),
                field("weight", "float", "The weight in kilograms."),
            ),
        ),
        Worksheet(
            name="Prescription",
            title="prescription refill",
            verb="order",
            description="More of a medicine that an animal takes.",
            actions="@refill(medicine=self.medicine)",
            fields=(
                field("medicine", "str", "The medicine."),
                field("packs", "int", "How many packs."),
                field("confirm", "confirm", "The owner agrees."),
            ),
        ),
        Worksheet(
            name="clinic_information",
            kind=WorksheetKind.KNOWLEDGE,
            description="The clinic is open Monday to Saturday from eight to six. In an emergency at night, call the "
            "animal hospital. Rabbits are seen on Tuesdays only.",
        ),
    ),
)
