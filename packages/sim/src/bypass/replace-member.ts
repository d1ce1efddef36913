/** Gives a member of an object another value; returns the function that restores it. */
export function replaceMember(target: object, name: string, value: unknown): () => void {
  const before = Object.getOwnPropertyDescriptor(target, name)
  Object.defineProperty(target, name, {
    configurable: true,
    enumerable: before?.enumerable ?? false,
    writable: true,
    value,
  })
  return () => {
    if (before === undefined) Reflect.deleteProperty(target, name)
    else Object.defineProperty(target, name, before)
  }
}
