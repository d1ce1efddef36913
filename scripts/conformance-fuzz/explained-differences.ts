import { isDeepStrictEqual } from 'node:util'
import { isJsonObject, type JsonObject } from 'setpoint/schema'
import type { Answer } from '../../test/conformance/conformance-case.ts'
import type { FoundDifference } from './difference-class.ts'

/** Differences that stay, with the reason; docs/reference/fidelity.md lists them. */
interface Explanation {
  readonly reason: string
  readonly covers: (found: FoundDifference) => boolean
}

const explanations: readonly Explanation[] = [
  {
    reason: 'a real server closes the connection after a protobuf body for a custom resource',
    covers: ({ answers: [real, embedded] }) => real?.code === 0 && embedded?.code === 415,
  },
  {
    reason: 'the data of a ControllerRevision is stored as a value, without the text of the client',
    covers: ({ step: { resource }, differences, answers: [real, embedded] }) =>
      resource === 'controllerrevisions' &&
      (differences.every(({ path }) => /^\.body(\.items\.\d+)?\.data/.test(path)) ||
        // The text with another order or a repeated field is another value.
        ((embedded?.code === 200 || textOf(embedded).includes('field is immutable')) &&
          /data: Invalid value: .*: field is immutable/.test(textOf(real)))),
  },
  {
    reason: 'a real server panics at an operation on a whole object without a value',
    covers: ({ step: { step }, answers: [real, embedded] }) =>
      real?.code === 0 &&
      embedded?.code === 422 &&
      /"op":"(?:add|replace|test)","path":""(?!,"value")/.test(JSON.stringify(step)),
  },
  {
    reason: 'a real server panics at a merge key that is a map or a list',
    covers: ({ step: { step }, answers: [real, embedded] }) =>
      real?.code === 0 &&
      embedded?.code === 422 &&
      textOf(embedded).includes('unrecognized type: ') &&
      JSON.stringify(step).includes('application/strategic-merge-patch+json'),
  },
  {
    reason: 'a server has this path if it was started with a certificate for aggregated APIs',
    covers: ({ answers }) => {
      const [theirs, ours] = answers.map((answer) =>
        textOf(answer).replace(/"[^"]*\/poststarthook\/aggregator-reload-proxy-client-cert",/g, ''),
      )
      return theirs === ours && theirs?.includes('"paths"') === true
    },
  },
  {
    reason: 'the message has the revision of an earlier write, which is another one on each server',
    covers: ({ differences }) =>
      differences.every(
        ({ path, real, embedded }) =>
          path === '.body.message' &&
          withoutRevision(String(real)) === withoutRevision(String(embedded)),
      ),
  },
  {
    reason: 'a real server reports the problems of a map in random order',
    covers: ({ answers: [real, embedded] }) => {
      const [ours, theirs] = [sortedCauses(embedded), sortedCauses(real)]
      return theirs !== undefined && isDeepStrictEqual(ours, theirs)
    },
  },
  {
    reason: 'a service of another script, or of an earlier run, has the address or the port',
    covers: ({ step: { resource }, answers }) =>
      resource === 'services' &&
      answers.filter((answer) => textOf(answer).includes('is already allocated')).length === 1,
  },
  {
    reason: 'the signing key of the embedded server is another one',
    covers: (found) => /^\/(?:openid|\.well-known)\//.test(pathOf(found)),
  },
  {
    reason: 'the embedded server runs in virtual time: ages of fixed times differ',
    covers: ({ differences }) =>
      differences.every(
        ({ path, real, embedded }) =>
          /\.cells\.\d+$/.test(path) && [real, embedded].every((cell) => age.test(String(cell))),
      ),
  },
  {
    reason: 'a real server reports the invalid fields of an applied map in random order',
    covers: ({ differences }) =>
      differences.length === 1 &&
      differences.every(
        ({ path, real, embedded }) =>
          path === '.body.message' && isSameTypeProblem(String(real), String(embedded)),
      ),
  },
  {
    reason: 'a real server sends the bookmarks of a watch of one second or does not, by its clock',
    covers: (found) => {
      const [theirs, ours] = found.answers.map(eventsOf)
      const isWatch = 'watch' in found.step.step || /[?&/]watch\b/.test(pathOf(found))
      return isWatch && theirs !== undefined && isDeepStrictEqual(ours, theirs)
    },
  },
  {
    reason: 'the history of the embedded server does not begin with revision 1',
    covers: (found) => /[?&](?:resourceVersion=1(?!\d)|continue=eyJ)/.test(pathOf(found)),
  },
  {
    reason: 'objects of resource.k8s.io have few validation rules',
    covers: ({ step: { resource }, differences }) =>
      deviceResources.has(resource.split('/')[0] ?? '') &&
      differences.some(({ path }) => /^\.(?:code|body\.message|body\.details\.causes)/.test(path)),
  },
]

const withoutRevision = (text: string): string =>
  text.replace(/(?<=ResourceVersion in precondition: )\d+/, 'RV')

const textOf = (answer: Answer | undefined): string => JSON.stringify(answer?.body ?? '')

/** A map is no longer checked after its first undeclared field, and its order is random. */
function isSameTypeProblem(real: string, embedded: string): boolean {
  const [kind, ourKind] = [real, embedded].map((text) =>
    /^failed to create typed[^)]*\)/.exec(text),
  )
  if (kind?.[0] === undefined || kind[0] !== ourKind?.[0]) return false
  const isCut = [real, embedded].every((text) => text.includes('field not declared in schema'))
  return isCut || sortedLines(real) === sortedLines(embedded)
}

const sortedLines = (text: string): string => text.split('\n').sort().join('\n')

/** The events of a watch without bookmarks. */
function eventsOf(answer: Answer | undefined): unknown[] | undefined {
  const body = answer?.body
  // The only event of an answer is not in a list.
  const events = Array.isArray(body) ? body : isJsonObject(body ?? null) ? [body] : undefined
  return events?.filter((event) => !isJsonObject(event) || event['type'] !== 'BOOKMARK')
}

const age = /^(?:\d+[ydhms])+$/

function sortedCauses(answer: Answer | undefined): string[] | undefined {
  const body = answer?.body
  // The lines of YAML have one cause after another.
  if (typeof body === 'string' && body.startsWith('apiVersion: v1\ncode: 422\n')) {
    return body
      .replace(/^message: .*(?:\n {2}.*)*$/m, '')
      .split('\n')
      .sort()
  }
  const details = isJsonObject(body ?? null) ? (body as JsonObject)['details'] : undefined
  const causes = isJsonObject(details ?? null) ? (details as JsonObject)['causes'] : undefined
  return Array.isArray(causes) ? causes.map((cause) => JSON.stringify(cause)).sort() : undefined
}

const pathOf = ({ step: { step } }: FoundDifference): string =>
  'watch' in step ? step.watch : 'path' in step ? step.path : ''

const deviceResources = new Set([
  'resourceclaims',
  'resourceclaimtemplates',
  'resourceslices',
  'deviceclasses',
])

/** Why two servers may answer differently here; undefined if no rule covers it. */
export function explanationOf(found: FoundDifference): string | undefined {
  return explanations.find(({ covers }) => covers(found))?.reason
}
