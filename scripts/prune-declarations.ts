import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

/** `export { a, type b } from './x.ts';` as the compiler writes it, on one line. */
const reexportPattern = /^export (type )?\{ ([^}]*) \} from '(\.[^']+)';$/

/** The comment of an index about its folder, which is only for readers of the sources. */
const folderCommentPattern = /^\/\*\*.*?\*\/\n/s

/** Any other reference to another file. */
const importPattern = /^(?:import|export)\b(.*?)from '(\.[^']+)';$|import\('(\.[^']+)'\)/gm

/**
 * Makes declarations in `dist` small: files that no entry uses are removed, the indexes of folders
 * keep only used exports, tabs replace four spaces, and semicolons at line ends are removed.
 */
export function pruneDeclarations(entries: readonly string[]): void {
  const reach = new Reach(entries)
  for (const name of readdirSync('dist', { recursive: true, encoding: 'utf8' })) {
    const path = join('dist', name)
    if (!path.endsWith('.d.ts')) continue
    if (reach.has(path)) writeFileSync(path, compact(reach.textOf(path)))
    else rmSync(path)
  }
}

function compact(text: string): string {
  return text
    .replace(/^(?: {4})+/gm, (spaces) => '\t'.repeat(spaces.length / 4))
    .replace(/;$/gm, '')
    .replace(/\/\*\*\n([^]*?)\n\s*\*\//g, (comment, body: string) => oneLine(body) ?? comment)
}

/** A comment of one paragraph on one line: editors show it the same. Lists, code and tags keep their lines. */
function oneLine(body: string): string | undefined {
  const lines = body.split('\n').map((line) => line.replace(/^\s*\* ?/, ''))
  const isParagraph = lines.every((line) => line !== '' && !/^(\s|[-@|`]|\d+\.)/.test(line))
  return isParagraph ? `/** ${lines.join(' ')} */` : undefined
}

/** The files and the names of indexes that entries use. */
class Reach {
  readonly #files = new Set<string>()
  /** The used names of an index; all names of entries are used. */
  readonly #names = new Map<string, Set<string>>()
  readonly #entries: ReadonlySet<string>

  constructor(entries: readonly string[]) {
    this.#entries = new Set(entries.map((entry) => normalize(entry)))
    for (const entry of this.#entries) this.#visit(entry)
  }

  has(path: string): boolean {
    return this.#files.has(path)
  }

  /** The published text of a file. */
  textOf(path: string): string {
    const text = readFileSync(path, 'utf8')
    if (!this.#isInnerIndex(path)) return text
    const names = this.#names.get(path) ?? new Set()
    return text
      .replace(folderCommentPattern, '')
      .split('\n')
      .flatMap((line) => {
        const [, type = '', list = '', from = ''] = reexportPattern.exec(line) ?? []
        if (from === '') return [line]
        const kept = specifiersIn(list).filter((one) => names.has(nameOf(one)))
        return kept.length === 0 ? [] : [`export ${type}{ ${kept.join(', ')} } from '${from}';`]
      })
      .join('\n')
  }

  #isInnerIndex(path: string): boolean {
    return path.endsWith('/index.d.ts') && !this.#entries.has(path)
  }

  #visit(path: string): void {
    if (this.#files.has(path)) return
    this.#files.add(path)
    if (this.#isInnerIndex(path)) return
    const text = readFileSync(path, 'utf8')
    for (const [, clause, from, dynamic = ''] of text.matchAll(importPattern)) {
      this.#follow(path, from ?? dynamic, namesIn(clause))
    }
  }

  /**
   * Follows a reference to another file, and through an index to the sources of the names; without
   * names, all of them.
   */
  #follow(from: string, specifier: string, names: readonly string[] | undefined): void {
    const path = join(dirname(from), specifier.replace(/\.[jt]s$/, '.d.ts'))
    this.#visit(path)
    if (!this.#isInnerIndex(path)) return
    const known = this.#names.get(path) ?? new Set()
    this.#names.set(path, known)
    for (const line of readFileSync(path, 'utf8').split('\n')) {
      const [, , list = '', next = ''] = reexportPattern.exec(line) ?? []
      const requested = specifiersIn(list).filter((one) => names?.includes(nameOf(one)) !== false)
      const fresh = requested.filter((one) => next !== '' && !known.has(nameOf(one)))
      for (const one of fresh) known.add(nameOf(one))
      if (fresh.length > 0) this.#follow(path, next, fresh.map(sourceNameOf))
    }
  }
}

/** The names of an import or export clause; `undefined` for a whole module. */
function namesIn(clause: string | undefined): readonly string[] | undefined {
  const [, list] = /\{ ([^}]*) \}/.exec(clause ?? '') ?? []
  return list === undefined ? undefined : specifiersIn(list).map(sourceNameOf)
}

/** The list may have a trailing comma. */
function specifiersIn(list: string): string[] {
  return list
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')
}

/** `type A as B` is B here, and A in its source. */
function nameOf(specifier: string): string {
  return (
    specifier
      .replace(/^type /, '')
      .split(' as ')
      .at(-1) ?? ''
  )
}

function sourceNameOf(specifier: string): string {
  return specifier.replace(/^type /, '').split(' as ')[0] ?? ''
}
