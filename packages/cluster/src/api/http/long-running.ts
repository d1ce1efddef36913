import type { RequestInfo } from './request-info.ts'

const verbs: ReadonlySet<string> = new Set(['watch', 'proxy'])
const subresources: ReadonlySet<string> = new Set(['attach', 'exec', 'log', 'portforward', 'proxy'])

/** Whether a request may take any time: it has no timeout, and its audit events begin earlier. */
export function isLongRunning({ verb, isResource, subresource }: RequestInfo): boolean {
  return isResource && (verbs.has(verb) || subresources.has(subresource))
}
