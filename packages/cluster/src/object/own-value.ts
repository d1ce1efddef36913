/**
 * The value of a key that a user chose. A plain lookup also finds what every object inherits, such
 * as `constructor`.
 */
export function ownValue<T>(
  map: Readonly<Record<string, T>> | undefined,
  key: string,
): T | undefined {
  return map !== undefined && Object.hasOwn(map, key) ? map[key] : undefined
}
