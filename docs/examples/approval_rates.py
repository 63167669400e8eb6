"""Approval rates by gateway, from an export and the Avro schemas. See docs/consuming-events.md.

    python3 approval_rates.py EXPORT MERCHANT SCHEMAS

EXPORT   a file of `switchyard replay --topic payments --format records`
MERCHANT the merchant's id
SCHEMAS  address of a schema registry (http://...), or the folder schemas/published of this repository

Needs the library `fastavro`.
"""

import base64
import io
import json
import struct
import sys
import urllib.request
from pathlib import Path

import fastavro

FRAME_BYTES = 5  # a zero, then the id of the schema, big-endian


def registry_schemas(url):
    """Schemas by id, as the registry has them."""

    def find(schema_id):
        with urllib.request.urlopen(f"{url.rstrip('/')}/schemas/ids/{schema_id}", timeout=10) as answer:
            return json.loads(json.load(answer)["schema"])

    return find


def committed_schemas(folder):
    """Schemas by id, as the files number them: what the embedded engine writes."""
    ids = json.loads((Path(folder) / "ids.json").read_text())

    def find(schema_id):
        entry = ids[str(schema_id)]
        return json.loads((Path(folder) / entry["subject"] / f"{entry['version']}.avsc").read_text())

    return find


def read_events(path, schema_of):
    """Type and data of every record, in the order of the file."""
    parsed = {}
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            value = base64.b64decode(record["value"])
            zero, schema_id = struct.unpack(">BI", value[:FRAME_BYTES])
            assert zero == 0, "no frame of a schema registry"
            if schema_id not in parsed:
                parsed[schema_id] = fastavro.parse_schema(schema_of(schema_id))
            data = fastavro.schemaless_reader(io.BytesIO(value[FRAME_BYTES:]), parsed[schema_id])
            yield record["headers"]["type"], data


def outcome_of(data):
    status_class = data.get("statusClass")  # added in a later version of the schema
    if data["enforceFailure"] or status_class == "FAILURE":
        return "declined"
    return "approved" if status_class == "SUCCESS" else "pending"


def approval_rates(events, merchant_id):
    counts, settled, contradicted = {}, {}, set()
    for name, data in events:
        if name != "switchyard.payments.OutcomeRecorded" or data["merchantId"] != merchant_id:
            continue
        attempt, outcome = (data["paymentId"], data["gateway"]), outcome_of(data)
        before = settled.get(attempt)
        if before == outcome or (outcome == "declined" and attempt in contradicted):
            continue  # says the same again
        if before == "approved" and outcome == "declined":
            contradicted.add(attempt)  # an approval stands: what declines it afterwards counts once
        elif outcome != "pending":
            settled[attempt] = outcome
        counts.setdefault(data["gateway"], {"approved": 0, "declined": 0, "pending": 0})[outcome] += 1
    rates = []
    for gateway, count in sorted(counts.items()):
        total = count["approved"] + count["declined"]
        rates.append({"gateway": gateway, **count, "rate": count["approved"] / total if total else None})
    return rates


if __name__ == "__main__":
    export, merchant, schemas = sys.argv[1:]
    schema_of = registry_schemas(schemas) if schemas.startswith("http") else committed_schemas(schemas)
    print(json.dumps(approval_rates(read_events(export, schema_of), merchant)))
