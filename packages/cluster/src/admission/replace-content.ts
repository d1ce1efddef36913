import type { JsonObject } from 'setpoint/schema'

/** The callers of admission keep a reference to the object, so its fields are replaced. */
export function replaceContent(target: JsonObject, content: JsonObject): void {
  if (target === content) return
  for (const name of Object.keys(target)) Reflect.deleteProperty(target, name)
  Object.assign(target, content)
}
