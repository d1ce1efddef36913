import { posix } from 'node:path'
import { resourceNames } from '../../packages/cli/src/scaffold/names.ts'
import { projectFiles, releasedPackages } from '../../packages/cli/src/scaffold/project-files.ts'
import type { SourceTree } from './source-tree.ts'

/** Every path and npm command written in Markdown exists. */
export function markdownViolations(tree: SourceTree): string[] {
  return [...tree].flatMap(([path, text]) =>
    path.endsWith('.md')
      ? [...missingPaths(tree, path, text), ...missingScripts(tree, path, text)]
      : [],
  )
}

// A text that looks like a path of this repository: at least one slash or a known ending, no spaces
// or globs.
const pathLike = /^(\.{0,2}\/)?([\w@.-]+\/)*[\w@.-]+(\/|\.(ts|js|json|md|ya?ml|mjs|sh|txt))$/
const externalTarget = /^(https?:|#|mailto:)|^(dist|node_modules)\//

// Documents for users name files of the users' projects, which do not exist here.
const ofProjects = /^(src|config|chart|bundle|catalog|\.setpoint)\/|^operators\.ts$/

const repositoryFolders =
  /^(packages|operators|test|benchmarks|docs|scripts|\.ci)\/[\w@./-]*[\w/-]$/

function missingPaths(tree: SourceTree, path: string, text: string): string[] {
  const prose = withoutFences(text)
  const inline = [...prose.matchAll(/`([^`\n]+)`/g)].map((match) => match[1] ?? '')
  const links = [...prose.matchAll(/\]\(<?([^)\s>]+)[^)]*\)|^\[[^\]]+\]: *(\S+)/gm)]
    .map((match) => (match[1] ?? match[2] ?? '').replace(/#.*$/, ''))
    .filter((target) => target !== '' && !externalTarget.test(target))
  const words = [...text.matchAll(/^```[\s\S]*?^```|`[^`\n]+`/gm)].flatMap((match) =>
    match[0].split(/[\s`'"(),;]+/).filter((word) => repositoryFolders.test(word)),
  )
  const mentioned = inline.filter(
    (each) => pathLike.test(each) && !externalTarget.test(each) && !ofProjects.test(each),
  )
  return [
    ...links.filter((target) => !linkExists(tree, path, target)),
    ...[...mentioned, ...words].filter((each) => !exists(tree, path, each)),
  ].map((each) => `${path}: ${each} does not exist`)
}

/** A link is relative to its page. */
function linkExists(tree: SourceTree, page: string, target: string): boolean {
  const path = posix.join(posix.dirname(page), target).replace(/\/$/, '')
  return [...tree.keys()].some((file) => file === path || file.startsWith(`${path}/`))
}

/** A path may be relative to the root or to the page, or the end of a longer path. */
function exists(tree: SourceTree, page: string, written: string): boolean {
  const candidates = [posix.normalize(written), posix.join(posix.dirname(page), written)].map(
    (each) => each.replace(/\/$/, ''),
  )
  const ending = `/${written.replace(/^\.\//, '')}`
  return [...tree.keys()].some(
    (file) =>
      candidates.some((candidate) => file === candidate || file.startsWith(`${candidate}/`)) ||
      `/${file}`.endsWith(ending) ||
      (ending.endsWith('/') && `/${file}`.includes(ending)),
  )
}

const npmCommands = new Set(
  'ci install i pack create exec view publish version link audit outdated uninstall update'.split(
    ' ',
  ),
)

/** The files of `setpoint new`, which documents for users name. */
const scriptsOfProjects = Object.keys(
  (
    JSON.parse(
      projectFiles('any', {
        resource: resourceNames({ kind: 'Any', group: 'any.example.com', version: 'v1' }),
        packages: releasedPackages,
      })['package.json'] ?? '{}',
    ) as { scripts: object }
  ).scripts,
)

function missingScripts(tree: SourceTree, path: string, text: string): string[] {
  const manifest = JSON.parse(tree.get('package.json') ?? '{}') as { scripts?: object }
  const scripts = new Set([...Object.keys(manifest.scripts ?? {}), ...scriptsOfProjects])
  const code = [...text.matchAll(/^```[\s\S]*?^```|`[^`\n]+`/gm)]
    .map((match) => match[0])
    .join('\n')
  return [...code.matchAll(/\bnpm (run )?([a-z][\w:-]*)/g)].flatMap(([command, run, name = '']) => {
    const isKnown = scripts.has(name) || (run === undefined && npmCommands.has(name))
    return isKnown ? [] : [`${path}: \`${command}\` is not a script of package.json`]
  })
}

function withoutFences(text: string): string {
  return text.replace(/^```[\s\S]*?^```/gm, '')
}
