import { type Attributes, SpanStatusCode } from '@opentelemetry/api'
import { type ActiveSpan, inSpan } from './in-span.ts'

/** A request to an API server, for its span. */
interface TracedRequest {
  readonly method: string
  /** The path below the server's address, without its query. */
  readonly path: string
  readonly isWatch: boolean
  readonly server: string
}

/**
 * Sends a request in its own span. Check `isInSpan` first: a request outside of a trace gets no
 * span.
 */
export async function inRequestSpan<T extends { readonly status: number }>(
  request: TracedRequest,
  send: () => Promise<T>,
): Promise<T> {
  const { template, attributes } = targetOf(request)
  return inSpan(
    { name: `${request.method} ${template}`, kind: 'request', attributes: () => attributes },
    async (span) => {
      const answer = await send()
      if (span !== undefined) recordStatus(span, answer.status)
      return answer
    },
  )
}

function recordStatus(span: ActiveSpan, status: number): void {
  span.setAttributes({ 'http.response.status_code': status })
  if (status < 400) return
  span.setAttributes({ 'error.type': String(status) })
  span.setStatus({ code: SpanStatusCode.ERROR })
}

interface Target {
  /** The path with names replaced, so that requests of a kind have one name. */
  readonly template: string
  readonly attributes: Attributes
}

/**
 * The object of an API path:
 * `/apis/GROUP/VERSION[/namespaces/NAMESPACE]/RESOURCE[/NAME[/SUBRESOURCE]]`.
 */
function targetOf({ method, path, isWatch, server }: TracedRequest): Target {
  const http = { 'http.request.method': method, 'server.address': server }
  const match = /^(\/api\/[^/]+|\/apis\/[^/]+\/[^/]+)(\/.+)$/.exec(path)
  if (match === null) return { template: path, attributes: { ...http, 'url.template': path } }
  const [, root = '', below = ''] = match
  const parts = below.split('/').slice(1)
  const isInNamespace = parts[0] === 'namespaces' && parts.length > 2
  const namespace = isInNamespace ? parts[1] : undefined
  const [resource = '', name, subresource] = isInNamespace ? parts.slice(2) : parts
  const template = [
    root,
    ...(isInNamespace ? ['namespaces', '{namespace}'] : []),
    resource,
    ...(name === undefined ? [] : ['{name}']),
    ...(subresource === undefined ? [] : [subresource]),
  ].join('/')
  const isOne = name !== undefined
  return {
    template,
    attributes: {
      ...http,
      'url.template': template,
      'k8s.verb': verbOf(method, { isWatch, isOne }),
      'k8s.resource': subresource === undefined ? resource : `${resource}/${subresource}`,
      ...(namespace === undefined ? {} : { 'k8s.namespace.name': namespace }),
      ...(name === undefined ? {} : { 'k8s.object.name': decodeURIComponent(name) }),
    },
  }
}

const writeVerbs: Readonly<Record<string, string>> = {
  POST: 'create',
  PUT: 'update',
  PATCH: 'patch',
}

/** The RBAC verb. */
function verbOf(
  method: string,
  { isWatch, isOne }: { readonly isWatch: boolean; readonly isOne: boolean },
): string {
  if (isWatch) return 'watch'
  if (method === 'GET') return isOne ? 'get' : 'list'
  if (method === 'DELETE') return isOne ? 'delete' : 'deletecollection'
  return writeVerbs[method] ?? method.toLowerCase()
}
