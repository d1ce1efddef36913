import type { SourceTree } from './source-tree.ts'

/** The documents that name the dependencies of the production package. */
const documents = ['SECURITY.md', 'docs/guide/security.md']

const manifestPath = 'packages/setpoint/package.json'

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

/** Documents name exactly the dependencies of package.json. */
export function dependencyClaimViolations(tree: SourceTree): string[] {
  const { dependencies, peerDependencies } = JSON.parse(tree.get(manifestPath) ?? '{}') as Manifest
  const claim = `Dependencies of \`setpoint\`: ${listOf(dependencies)}. Peer dependencies: ${listOf(peerDependencies)}.`
  return documents.flatMap((path) => {
    const text = tree.get(path)?.replace(/\s+/g, ' ')
    return text === undefined || text.includes(claim) ? [] : [`${path}: write "${claim}"`]
  })
}

function listOf(dependencies: Readonly<Record<string, string>> = {}): string {
  const names = Object.keys(dependencies).sort()
  return names.length === 0 ? 'none' : names.map((name) => `\`${name}\``).join(', ')
}
