/** The fields of a status that follow from options of the definition, not from the status schema. */
const declaredFields = ['conditions', 'runbooks']

/** Divides a status into the declared fields and the author's fields. */
export function declaredStatus<T extends object>(
  status: T,
): readonly [declared: Partial<T>, authored: Partial<T>] {
  const entries = Object.entries(status)
  const isDeclared = ([name]: readonly [string, unknown]): boolean => declaredFields.includes(name)
  return [
    Object.fromEntries(entries.filter(isDeclared)) as Partial<T>,
    Object.fromEntries(entries.filter((entry) => !isDeclared(entry))) as Partial<T>,
  ]
}
