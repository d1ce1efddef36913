import { encodeYaml } from '@setpoint/cluster/yaml'
import { isJsonObject, type JsonValue } from 'setpoint/schema'

/** JSON on one line as Go writes it: sorted names, and HTML characters escaped. */
export function goJson(value: unknown): string {
  return escaped(JSON.stringify(sorted(value as JsonValue)))
}

/** JSON as `-o json` prints it. */
export function prettyJson(value: unknown): string {
  return escaped(JSON.stringify(sorted(value as JsonValue), undefined, 4))
}

/** YAML as `-o yaml` prints it, without the newline at its end. */
export function yamlText(value: unknown): string {
  return encodeYaml(value as JsonValue).replace(/\n$/, '')
}

function escaped(json: string): string {
  return json.replace(
    /[<>&\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

function sorted(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .flatMap((name) => {
        const field = value[name]
        return field === undefined ? [] : [[name, sorted(field)]]
      }),
  )
}
