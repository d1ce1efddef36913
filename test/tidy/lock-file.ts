import type { SourceTree } from './source-tree.ts'

interface LockedPackage {
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

/**
 * Every optional dependency is locked, including those of other platforms. npm writes a lock file
 * without the ones its registry does not have yet, and `npm ci` then refuses it on every machine.
 */
export function lockFileViolations(tree: SourceTree): string[] {
  const lock = JSON.parse(tree.get('package-lock.json') ?? '{}') as {
    packages?: Readonly<Record<string, LockedPackage>>
  }
  const packages = lock.packages ?? {}
  return Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter(
        (name) =>
          !(`node_modules/${name}` in packages) && !(`${path}/node_modules/${name}` in packages),
      )
      .map(
        (name) =>
          `package-lock.json: ${path} needs ${name}, which is not locked; pin another version`,
      ),
  )
}
