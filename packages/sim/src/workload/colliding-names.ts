/** How many names are tried. */
const namesMax = 2

/**
 * Names of a second object whose derived names may be those of the first one. A program that names
 * children `foo` and `foo-nodes` for `foo` uses `foo-nodes` twice if a second object has this name.
 * The last name is one without a collision.
 */
export function collidingNames(
  name: string,
  objects: readonly string[],
  { subject }: { readonly subject: string },
): string[] {
  const suffixes = new Map<string, string[]>()
  for (const object of objects) {
    const [bucket = '', key = ''] = object.split(' ')
    const own = key.slice(key.lastIndexOf('/') + 1)
    if (bucket === subject || !own.startsWith(name)) continue
    suffixes.set(bucket, [...(suffixes.get(bucket) ?? []), own.slice(name.length)])
  }
  const names = [...suffixes.values()].flatMap((all) =>
    all.flatMap((long) =>
      all
        .filter((short) => short !== long && long.endsWith(short))
        .map((short) => name + long.slice(0, long.length - short.length)),
    ),
  )
  const colliding = [...new Set(names)].filter((one) => isName(one) && one !== name)
  return [...colliding.slice(0, namesMax), `${name}2`]
}

function isName(text: string): boolean {
  return /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/.test(text)
}
