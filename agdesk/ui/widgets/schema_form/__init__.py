"""A form made from a JSON Schema that edits a JSON value; an untouched form changes nothing, whatever the value.

``fields`` reads a schema and says which values a field can hold exactly; whatever it cannot is edited as JSON, in its
place in the form. ``part`` is what all fields have in common, ``leaves`` those of one value, ``array`` lists of them,
``members`` objects. ``form`` is the whole.
"""

from agdesk.ui.widgets.schema_form.form import SchemaForm

__all__ = ["SchemaForm"]
