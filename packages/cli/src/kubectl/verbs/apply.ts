import { isSetpointError } from 'setpoint'
import type { JsonObject, JsonValue } from 'setpoint/schema'
import { type ApiObject, titleOf } from '../api-resources.ts'
import type { FlagDeclarations } from '../kubectl-flags.ts'
import { KubectlProblem, serverMessageWhen } from '../kubectl-problem.ts'
import type { KubectlSession } from '../kubectl-session.ts'
import { type Manifest, manifestFlags, readManifests } from '../manifest-files.ts'
import { objectPrinter, outputFlags, type PrintedObject } from '../print/object-printer.ts'
import { goJson } from '../print/object-text.ts'
import { readPatchRules } from '../patch/patch-rules.ts'
import { strategicPatch } from '../patch/strategic-patch.ts'
import { threeWayMergePatch } from '../patch/three-way-patch.ts'

/** The flags of `apply`. */
export const applyFlags: FlagDeclarations = {
  ...manifestFlags,
  ...outputFlags,
  'server-side': { form: 'yes' },
  'force-conflicts': { form: 'yes' },
  'field-manager': { form: 'text' },
  'dry-run': { form: 'optional', alone: 'unchanged' },
  validate: { form: 'optional', alone: 'strict' },
}

/** The annotation with the last applied file, which the real kubectl uses too. */
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration'

/** `kubectl apply`: applies files, and keeps fields of other managers. */
export async function apply(session: KubectlSession): Promise<void> {
  if (session.line.list('filename').length === 0) {
    throw new KubectlProblem('error: must specify one of -f and -k')
  }
  const manifests = await readManifests(session)
  const print = objectPrinter(session)
  const done: PrintedObject[] = []
  for (const manifest of manifests) {
    const { resource } = manifest
    await session.attempt(async () => {
      const { object, what } = session.line.isOn('server-side')
        ? await applyOnServer(session, manifest)
        : await applyOnClient(session, manifest)
      const name = titleOf(resource, object.metadata.name)
      if (print === undefined) session.print(`${name} ${what}${dryRunSuffix(session)}`)
      done.push({ resource, object })
    })
  }
  if (print !== undefined && done.length > 0) print(done, manifests.length === 1 ? 'one' : 'list')
}

interface Applied {
  readonly object: ApiObject
  readonly what: string
}

async function applyOnServer(
  { client, line }: KubectlSession,
  { resource, object }: Manifest,
): Promise<Applied> {
  const applied = await client.apply(resource, object, {
    fieldManager: line.text('field-manager') ?? 'kubectl',
    force: line.isOn('force-conflicts'),
    dryRun: line.text('dry-run') === 'server',
    fieldValidation: fieldValidation(line.text('validate')),
  })
  return { object: applied, what: 'serverside-applied' }
}

/** Client-side apply, kubectl's default, with the last applied state in an annotation. */
async function applyOnClient(session: KubectlSession, manifest: Manifest): Promise<Applied> {
  const { client, line } = session
  const { resource, source } = manifest
  const desired = withLastApplied(manifest.object)
  const { name, namespace } = desired.metadata
  const options = {
    fieldManager: line.text('field-manager') ?? 'kubectl-client-side-apply',
    dryRun: line.text('dry-run') === 'server',
    fieldValidation: fieldValidation(line.text('validate')),
  }
  const live = await client.find(resource, { name, namespace })
  const isClientDryRun = line.text('dry-run') === 'client'
  if (live === undefined) {
    if (isClientDryRun) return { object: desired, what: 'created' }
    return { object: await createNew(), what: 'created' }
  }
  warnWithoutAnnotation(session, manifest, live)
  const states = {
    original: originalOf(live),
    modified: desired as JsonValue,
    current: live as JsonValue,
  }
  const rules = await readPatchRules(client, resource)
  const patch = rules === undefined ? threeWayMergePatch(states) : strategicPatch(states, rules)
  if (Object.keys(patch).length === 0) return { object: live, what: 'unchanged' }
  if (isClientDryRun) return { object: live, what: 'configured' }
  try {
    const sent = rules === undefined ? { merge: patch } : { strategic: patch }
    const object = await client.patch(resource, { name, namespace }, { ...sent, ...options })
    return { object, what: 'configured' }
  } catch (error) {
    throw patchProblem(error, { patch, manifest, source })
  }

  async function createNew(): Promise<ApiObject> {
    try {
      return await client.create(resource, desired, options)
    } catch (error) {
      const message = serverMessageWhen(`creating ${JSON.stringify(source)}`, error)
      throw message === undefined ? error : new KubectlProblem(message)
    }
  }
}

function patchProblem(
  error: unknown,
  { patch, manifest, source }: { patch: JsonObject; manifest: Manifest; source: string },
): unknown {
  const { resource, object } = manifest
  const { group, version, plural, kind } = resource
  const doing = [
    'applying patch:',
    goJson(patch),
    'to:',
    `Resource: "${group}/${version}, Resource=${plural}", GroupVersionKind: "${group}/${version}, Kind=${kind}"`,
    `Name: ${JSON.stringify(object.metadata.name)}, Namespace: ${JSON.stringify(object.metadata.namespace ?? '')}`,
    `for: ${JSON.stringify(source)}: error when patching ${JSON.stringify(source)}`,
  ].join('\n')
  const message = isSetpointError(error) ? serverMessageWhen(doing, error) : undefined
  return message === undefined ? error : new KubectlProblem(message)
}

/** The object with itself in the annotation. */
function withLastApplied(object: ApiObject): ApiObject {
  const { [lastApplied]: _, ...annotations } = object.metadata.annotations ?? {}
  const bare = { ...object, metadata: { ...object.metadata, annotations } }
  const text = `${goJson(bare)}\n`
  return {
    ...bare,
    metadata: { ...bare.metadata, annotations: { ...annotations, [lastApplied]: text } },
  }
}

function originalOf({ metadata }: ApiObject): JsonValue {
  const text = metadata.annotations?.[lastApplied]
  if (text === undefined) return {}
  try {
    return JSON.parse(text) as JsonValue
  } catch {
    // An invalid annotation is ignored.
    return {}
  }
}

function warnWithoutAnnotation(
  session: KubectlSession,
  { resource }: Manifest,
  { metadata }: ApiObject,
): void {
  if (metadata.annotations?.[lastApplied] !== undefined) return
  session.terminal.printProgress(
    `Warning: resource ${resource.plural}/${metadata.name} is missing the ${lastApplied} annotation which is required by kubectl apply. kubectl apply should only be used on resources created declaratively by either kubectl create --save-config or kubectl apply. The missing annotation will be patched automatically.`,
  )
}

/** The field validation of `--validate`. */
export function fieldValidation(flag: string | undefined): 'Strict' | 'Warn' | 'Ignore' {
  if (flag === 'warn') return 'Warn'
  return flag === 'ignore' || flag === 'false' ? 'Ignore' : 'Strict'
}

/** The suffix of output lines for a dry run. */
export function dryRunSuffix({ line }: KubectlSession): string {
  const mode = line.text('dry-run')
  if (mode === 'server') return ' (server dry run)'
  return mode === 'client' ? ' (dry run)' : ''
}
