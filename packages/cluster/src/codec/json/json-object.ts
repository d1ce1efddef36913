import type { JsonObject, JsonValue } from 'setpoint/schema'

/** Sets a field even if its name is `__proto__`, which a plain assignment would ignore. */
export function setOwn(object: JsonObject, key: string, value: JsonValue): void {
  if (key !== '__proto__') object[key] = value
  else {
    Object.defineProperty(object, key, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    })
  }
}
