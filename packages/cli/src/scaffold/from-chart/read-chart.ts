import { join, relative } from 'node:path'
import { isProgramMissing, openWorkspace } from 'setpoint/host'
import { type CommandContext, CommandError } from '../../command/index.ts'
import { type ChartKind, chartKinds } from './chart-kinds.ts'
import { goDocuments } from './go-yaml.ts'
import { inferSchema, type JsonSchema } from './infer-schema.ts'
import { isMap } from './is-map.ts'

/** A chart from which a project is made. */
export interface Chart {
  readonly name: string
  readonly values: unknown
  /** Of `values.schema.json`, or inferred from the values. */
  readonly schema: JsonSchema
  readonly kinds: readonly ChartKind[]
  /** The files by their paths in the chart. */
  readonly files: ReadonlyMap<string, Uint8Array>
  /** Whether it has objects in other namespaces than that of its release. */
  readonly isCrossNamespace: boolean
  /** What the author has to know about this chart. */
  readonly notes: readonly string[]
}

const namespace = 'chart-namespace'

/** Reads a chart from a folder, and renders it with its default values. */
export async function readChart(context: CommandContext, folder: string): Promise<Chart> {
  const files = await filesIn(context, folder)
  const textOf = (path: string): string => new TextDecoder().decode(files.get(path))
  const about = files.has('Chart.yaml') ? goDocuments(textOf('Chart.yaml'))[0] : undefined
  if (!isMap(about) || typeof about['name'] !== 'string') {
    throw new CommandError(`${folder} is not a chart: it has no Chart.yaml with a name`)
  }
  if (about['type'] === 'library') {
    throw new CommandError(`the chart ${about['name']} is a library: it has no objects`)
  }
  const values = files.has('values.yaml') ? (goDocuments(textOf('values.yaml'))[0] ?? {}) : {}
  const schema: unknown = files.has('values.schema.json')
    ? JSON.parse(textOf('values.schema.json'))
    : inferSchema(values)
  const { text, failure } = await render(context, folder)
  const rendered = goDocuments(text)
  const paths = [...files.keys()]
  const templates = paths.filter((path) => /(^|\/)templates\/(?!.*\btests\/)/.test(path))
  const crds = paths.filter((path) => /(^|\/)crds\/.*\.ya?ml$/.test(path))
  const kinds = chartKinds({
    rendered,
    templates: templates.map(textOf),
    crds: crds.flatMap((path) => goDocuments(textOf(path))),
  })
  const notes = [
    ...(failure === undefined ? [] : [`it does not render with its default values: ${failure}`]),
    ...notesOf(
      templates.map((path) => [path, textOf(path)] as const),
      crds,
    ),
    ...kindNotes(kinds),
  ]
  const isCrossNamespace = rendered.some(
    (object) =>
      isMap(object) &&
      isMap(object['metadata']) &&
      (object['metadata']['namespace'] ?? namespace) !== namespace,
  )
  const usable = isMap(schema) ? schema : {}
  return { name: about['name'], values, schema: usable, kinds, files, isCrossNamespace, notes }
}

async function filesIn({ host }: CommandContext, folder: string): Promise<Map<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>()
  const visit = async (path: string): Promise<void> => {
    for (const name of (await host.listDirectory(path)).sort()) {
      const inner = join(path, name)
      if (name === '.git') continue
      if ((await host.fileInfo(inner))?.isDirectory === true) await visit(inner)
      else files.set(relative(folder, inner).replaceAll('\\', '/'), await host.readFile(inner))
    }
  }
  if ((await host.fileInfo(folder))?.isDirectory !== true) {
    throw new CommandError(`there is no folder ${folder}`, {
      hint: 'helm pull --untar gets a chart from a repository or a registry',
    })
  }
  await visit(folder)
  return files
}

/** The output of helm for the default values; some charts need values of the user. */
async function render(
  { host, signal }: CommandContext,
  folder: string,
): Promise<{ readonly text: string; readonly failure?: string }> {
  await using work = await openWorkspace(host, signal)
  const args = ['template', 'sample', folder, '--namespace', namespace, '--skip-tests']
  try {
    const { exitCode, stdout, stderr } = await work.run(host.env('HELM_BIN') ?? 'helm', { args })
    if (exitCode === 0) return { text: stdout }
    const failure = stderr.replace(/^[^]*?Error: /, '').trim()
    if (!failure.includes('missing in charts/')) return { text: '', failure }
    throw new CommandError(failure, { hint: `run helm dependency build ${folder}` })
  } catch (error) {
    if (!isProgramMissing(error)) throw error
    throw new CommandError('helm is not installed', {
      hint: 'put Helm 3 on the PATH, or its path in HELM_BIN: it renders the chart, now and in the operator',
    })
  }
}

/** Functions of templates whose results differ each time. */
const random =
  /\b(rand(Alpha|AlphaNum|Numeric|Ascii|Bytes|Int)|gen(CA|SelfSignedCert|SignedCert|PrivateKey)\w*|uuidv4|now|htpasswd|bcrypt|derivePassword)\b/

function notesOf(
  templates: readonly (readonly [string, string])[],
  crds: readonly string[],
): string[] {
  const having = (pattern: RegExp): string =>
    templates
      .filter(([, text]) => pattern.test(text))
      .map(([path]) => path)
      .join(', ')
  const [hooks, randoms] = [having(/helm\.sh\/hook["']?:(?!\s*["']?test)/), having(random)]
  return [
    ...(hooks === '' ? [] : [`hooks are not run: ${hooks}; see \`hooks\` in src/render-chart.ts`]),
    ...(randoms === ''
      ? []
      : [
          `results that differ each time change the objects with every restart, unless the template uses lookup: ${randoms}`,
        ]),
    ...(crds.length === 0
      ? []
      : [`CRDs are not children; install them yourself: ${crds.join(', ')}`]),
  ]
}

function kindNotes(kinds: readonly ChartKind[]): string[] {
  const foreign = kinds.filter(({ builtin }) => builtin === undefined)
  const names = foreign.map(({ kind, isUsed }) => (isUsed ? kind : `${kind} (not used by default)`))
  return names.length === 0
    ? []
    : [`check the kinds that are not built in, in src/kinds.ts: ${names.join(', ')}`]
}
