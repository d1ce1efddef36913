import { isAbsolute, join } from 'node:path'
import { parseYaml } from '@setpoint/cluster/yaml'
import { isApiError, type Patch } from 'setpoint/client'
import { jsonEquals } from 'setpoint/schema'
import { titleOf } from '../api-resources.ts'
import type { FlagDeclarations } from '../kubectl-flags.ts'
import { KubectlProblem, serverMessage } from '../kubectl-problem.ts'
import type { KubectlSession } from '../kubectl-session.ts'
import { manifestFlags } from '../manifest-files.ts'
import { objectPrinter, outputFlags } from '../print/object-printer.ts'
import { namespaceFor } from '../targets.ts'
import { dryRunSuffix } from './apply.ts'
import { namedTargets } from './scale.ts'

/** The flags of `patch`. */
export const patchFlags: FlagDeclarations = {
  ...manifestFlags,
  ...outputFlags,
  patch: { form: 'text', short: 'p' },
  'patch-file': { form: 'text' },
  type: { form: 'text' },
  subresource: { form: 'text' },
  'dry-run': { form: 'optional', alone: 'unchanged' },
}

/** `kubectl patch`: patches an object. */
export async function patch(session: KubectlSession): Promise<void> {
  const { client, line } = session
  const content = await readPatch(session)
  const print = objectPrinter(session)
  for (const { resource, names } of await namedTargets(session)) {
    const namespace = namespaceFor(resource, session)
    for (const name of names) {
      const messageOf = (error: unknown): string | undefined =>
        isApiError(error) && error.status.reason === 'UnsupportedMediaType'
          ? `error: ${patchMedia(content)} is not supported by ${resource.apiVersion}, Kind=${resource.kind}: ${error.status.message}`
          : serverMessage(error)
      await session.attempt(async () => {
        const ref = { name, namespace }
        const before = await client.get(resource, ref)
        const subresource = line.text('subresource')
        const after = await client.patch(resource, ref, {
          ...content,
          fieldManager: 'kubectl-patch',
          dryRun: line.text('dry-run') === 'server',
          ...(subresource === undefined ? {} : { subresource }),
        })
        if (print !== undefined) {
          print([{ resource, object: after }], 'one')
          return
        }
        const isSame = jsonEquals(before, after)
        const what = isSame ? 'patched (no change)' : 'patched'
        session.print(`${titleOf(resource, name)} ${what}${dryRunSuffix(session)}`)
      }, messageOf)
    }
  }
}

function patchMedia(patch: Patch): string {
  if ('json' in patch) return 'application/json-patch+json'
  return `application/${'merge' in patch ? '' : 'strategic-'}merge-patch+json`
}

async function readPatch({ host, line, context }: KubectlSession): Promise<Patch> {
  const file = line.text('patch-file')
  const inline = line.text('patch')
  if ((file === undefined) === (inline === undefined)) {
    throw new KubectlProblem(
      'error: must specify --patch or --patch-file containing the contents of the patch',
    )
  }
  const path = file === undefined || isAbsolute(file) ? file : join(context.folder, file)
  const text =
    path === undefined ? (inline ?? '') : new TextDecoder().decode(await host.readFile(path))
  const content = parsedPatch(text)
  const type = line.text('type') ?? 'strategic'
  switch (type) {
    case 'json':
      if (Array.isArray(content)) return { json: content as never }
      throw new KubectlProblem(
        'error: unable to parse the patch: a JSON patch is a list of operations',
      )
    case 'merge':
      return { merge: content }
    case 'strategic':
      return { strategic: content }
    default:
      throw new KubectlProblem(
        `error: --type must be one of [json merge strategic], not ${JSON.stringify(type)}`,
      )
  }
}

function parsedPatch(text: string): object {
  try {
    const { value } = parseYaml(text)
    if (typeof value === 'object' && value !== null) return value
  } catch (error) {
    throw new KubectlProblem(
      `error: unable to parse ${JSON.stringify(text)}: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
  throw new KubectlProblem(`error: unable to parse ${JSON.stringify(text)}: it is not an object`)
}
