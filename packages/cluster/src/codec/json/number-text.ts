import type { JsonObject, JsonValue } from 'setpoint/schema'

/*
 * A JSON number such as `1.0` or `1e3` is an integer to JavaScript but not to Go: an int32 field
 * refuses it and a Quantity keeps its spelling. What the reader saw is remembered beside the value,
 * by container and key, for as long as the container lives.
 */
const texts = new WeakMap<object, Map<string | number, string>>()

/** Remembers how a number was spelled, where its value does not tell. */
export function rememberNumberText(
  container: JsonObject | JsonValue[],
  key: string | number,
  text: string,
): void {
  let ofContainer = texts.get(container)
  if (ofContainer === undefined) {
    ofContainer = new Map<string | number, string>()
    texts.set(container, ofContainer)
  }
  ofContainer.set(key, text)
}

/** The spelling of a number that was read from text; else how JavaScript prints it. */
export function numberText(
  container: JsonObject | JsonValue[],
  key: string | number,
  value: number | bigint,
): string {
  return texts.get(container)?.get(key) ?? String(value)
}
