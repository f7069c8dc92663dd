"""pydantic, as far as agdesk uses it: the one place that imports it.

Its modules load each other when they are first asked for something. Two threads that do so at once, as at a start with
restored conversations, may meet half of one, and an import fails. Here the lock of this module lets one go first.
"""

from pydantic import BaseModel as BaseModel
from pydantic import ConfigDict as ConfigDict
from pydantic import Field as Field
from pydantic import TypeAdapter as TypeAdapter
from pydantic import ValidationError as ValidationError
from pydantic import model_validator as model_validator
from pydantic.fields import FieldInfo as FieldInfo
from pydantic.json_schema import GenerateJsonSchema as GenerateJsonSchema
