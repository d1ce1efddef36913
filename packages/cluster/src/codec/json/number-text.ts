import type { JsonObject, JsonValue } from 'setpoint/schema'

/*
 * A JSON number such as `1.0` or `1e3` is an integer in JavaScript but not in Go: an int32 field
 * refuses it and a Quantity keeps its text. The reader stores the text by container and key, as
 * long as the container lives.
 */
const texts = new WeakMap<object, Map<string | number, string>>()

/** Stores the text of a number, where its value does not determine it. */
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

/** The text of a parsed number, otherwise JavaScript's. */
export function numberText(
  container: JsonObject | JsonValue[],
  key: string | number,
  value: number | bigint,
): string {
  return texts.get(container)?.get(key) ?? String(value)
}
