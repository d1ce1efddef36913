/** `src/render-chart.ts` of a project from a chart. */
export const renderChartText = `import { fileURLToPath } from 'node:url'
import { type Desired, GiveUpError, type PrepareContext } from 'setpoint'
import { isProgramMissing } from 'setpoint/host'
import type { Kind } from 'setpoint/kinds'
import { parseAllDocuments } from 'yaml'
import * as z from 'zod'
import { kinds } from './kinds.ts'

/** The chart. \`setpoint build\` copies it. */
const chart = fileURLToPath(new URL('./chart/', import.meta.url))

/**
 * What to do with hooks of the chart, except its tests, which are left out: \`refuse\` to render it,
 * \`ignore\` them, or keep them as \`children\` like all other objects, without order and deletion.
 */
const hooks: string = 'refuse'

/** An object that the chart renders. */
export const renderedObject = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({
    name: z.string(),
    namespace: z.string().optional(),
    annotations: z.record(z.string(), z.unknown()).nullish(),
  }),
})

export type RenderedObject = z.infer<typeof renderedObject>

/** The owner: its name and namespace are those of the release, its spec is the values. */
interface Owner {
  readonly metadata: { readonly uid: string; readonly name: string; readonly namespace?: string }
  readonly spec: unknown
}

/** The last result for each owner: helm runs only if its spec has changed. */
const results = new Map<string, { readonly input: string; readonly objects: RenderedObject[] }>()
const resultsMax = 10_000

/** Renders the chart with \`helm template\`. For \`.prepare\`. */
export async function renderChart(
  { metadata: { uid, name, namespace = '' }, spec }: Owner,
  context: PrepareContext,
): Promise<readonly RenderedObject[]> {
  const input = JSON.stringify([name, namespace, spec])
  const known = results.get(uid)
  if (known?.input === input) return known.objects
  const text = await helmTemplate({ name, namespace, values: JSON.stringify(spec) }, context)
  const objects = objectsIn(text)
  for (const object of objects) checkObject(object)
  results.delete(uid)
  results.set(uid, { input, objects })
  const [oldest] = results.keys()
  if (results.size > resultsMax && oldest !== undefined) results.delete(oldest)
  return objects
}

/** The rendered objects of a kind, as \`.children\` takes them. */
export function childrenOf(
  objects: readonly RenderedObject[],
  kind: Kind,
): Record<string, Desired<Kind>> {
  const own = objects.filter((object) => isOf(object, kind))
  return Object.fromEntries(
    own.map(({ apiVersion: _, kind: _kind, status: _status, ...fields }) => {
      const { namespace = '', name } = fields.metadata
      // The API server checks the fields: their types are those of the templates.
      return [namespace + '/' + name, fields as Desired<Kind>]
    }),
  )
}

async function helmTemplate(
  release: { readonly name: string; readonly namespace: string; readonly values: string },
  { client, signal, workspace }: PrepareContext,
): Promise<string> {
  await using work = await workspace()
  await work.write('values.json', release.values)
  await work.write('kubeconfig', await client.kubeconfig())
  const env = { KUBECONFIG: work.path + '/kubeconfig' }
  const args = [
    ...['template', release.name, chart, '--namespace', release.namespace],
    ...['--values', 'values.json', '--skip-tests'],
    // The function lookup reads the cluster.
    '--dry-run=server',
    ...(await capabilities(client, signal)),
    ...(hooks === 'ignore' ? ['--no-hooks'] : []),
  ]
  try {
    const program = process.env['HELM_BIN'] ?? 'helm'
    const { exitCode, stdout, stderr } = await work.run(program, { args, env })
    if (exitCode === 0) return stdout
    throw new Error('the chart cannot be rendered: ' + stderr.replace(/^[^]*?Error: /, '').trim())
  } catch (error) {
    if (!isProgramMissing(error)) throw error
    throw new Error('helm is not installed: put Helm 3 on the PATH, or its path in HELM_BIN', {
      cause: error,
    })
  }
}

const serverVersion = z.object({ gitVersion: z.string() })
const serverGroups = z.object({
  groups: z.array(z.object({ versions: z.array(z.object({ groupVersion: z.string() })) })),
})

/** The flags for \`.Capabilities\`: what the API server of the cluster serves. */
async function capabilities(
  { transport }: PrepareContext['client'],
  signal: AbortSignal,
): Promise<string[]> {
  const get = async (path: string): Promise<unknown> =>
    JSON.parse(await transport.text({ method: 'GET', path, what: 'get of ' + path, signal }))
  const { gitVersion } = serverVersion.parse(await get('/version'))
  const { groups } = serverGroups.parse(await get('/apis'))
  const served = ['v1', ...groups.flatMap(({ versions }) => versions.map((one) => one.groupVersion))]
  const known = kinds.filter(({ apiVersion }) => served.includes(apiVersion))
  const all = [...served, ...known.map(({ apiVersion, kind }) => apiVersion + '/' + kind)]
  return ['--kube-version', gitVersion, '--api-versions', all.join(',')]
}

/** The objects in the output of helm, which reads YAML as Go does: 0644 is octal, yes is true. */
function objectsIn(text: string): RenderedObject[] {
  const documents = parseAllDocuments(text, {
    version: '1.1',
    customTags: (tags) => tags.filter((tag) => !isUnknownToGo(tag)),
  })
  return [documents].flat().flatMap((document) => {
    const [problem] = document.errors
    if (problem !== undefined) throw problem
    const value: unknown = document.toJS()
    if (value === null) return []
    const list = z.object({ kind: z.literal('List'), items: z.array(renderedObject) }).safeParse(value)
    return list.success ? list.data.items : [renderedObject.parse(value)]
  })
}

/** Times, and numbers such as 12:30, are texts. */
function isUnknownToGo(tag: string | { readonly tag: string; readonly format?: string }): boolean {
  if (typeof tag === 'string') return ['timestamp', 'intTime', 'floatTime'].includes(tag)
  return tag.tag.endsWith(':timestamp') || tag.format === 'TIME'
}

/** Refuses what cannot be a child, with what to do about it. */
function checkObject({ apiVersion, kind, metadata }: RenderedObject): void {
  const what = 'the chart renders the ' + kind + ' ' + metadata.name
  const hook = metadata.annotations?.['helm.sh/hook']
  if (hook !== undefined && hooks === 'refuse') {
    throw new GiveUpError(
      what + ' as a hook (' + String(hook) + '), and hooks are not run: set \`hooks\` in src/render-chart.ts',
    )
  }
  if (kind === 'CustomResourceDefinition') {
    throw new GiveUpError(
      what + ', which would be deleted with all its objects: move it to the folder crds of the chart, and install it yourself',
    )
  }
  if (!kinds.some((known) => isOf({ apiVersion, kind }, known))) {
    throw new GiveUpError(
      what + ' (' + apiVersion + '), which is not in src/kinds.ts: add its kind there, and run npm run generate',
    )
  }
}

function isOf(
  object: { readonly apiVersion: string; readonly kind: string },
  { apiVersion, kind }: Kind,
): boolean {
  return object.apiVersion === apiVersion && object.kind === kind
}
`
