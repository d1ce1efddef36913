import { isSetpointError, SetpointError } from '../errors/index.ts'
import {
  type HttpServer,
  type Network,
  readText,
  type ServerRequest,
  type ServerResponse,
} from '../host/index.ts'
import type { Logger } from '../log/index.ts'
import {
  type AnyOperator,
  type IncomingWebhook,
  keysIn,
  type WebhookDeclaration,
} from '../operator/index.ts'

/** Where webhooks are served, and what they do. */
interface WebhookServerOptions {
  readonly host: Network
  readonly log: Logger
  readonly port?: number | undefined
  readonly hostname?: string | undefined
  readonly operators: readonly AnyOperator[]
  /** Runs a key of an operator; `false` when this process does not work for it. */
  readonly trigger: (operator: string, key: string, why: string) => boolean
}

/** What a sender may send at most. */
const messageBytesMax = 1024 * 1024

/** Serves the webhooks of operators. */
export async function serveWebhooks(options: WebhookServerOptions): Promise<HttpServer> {
  const { host, hostname, port, operators } = options
  const declared = operators.flatMap(({ declaration: { options: named, webhooks } }) =>
    webhooks.map((webhook) => [webhook.path, { ...webhook, operator: named.name }] as const),
  )
  const hooks = new Map(declared)
  const shared = declared.find(([path, hook]) => hooks.get(path) !== hook)
  if (shared !== undefined) {
    throw new SetpointError('OPERATOR_INVALID', `two operators have a webhook at ${shared[0]}`, {
      hint: 'give each webhook a path of its own',
    })
  }
  return host.listen({
    hostname,
    port,
    handle: async (request) => {
      const hook = hooks.get(request.path.split('?', 1)[0] ?? '')
      if (hook === undefined) return answer(404, 'no webhook has this path')
      if (request.method !== 'POST') {
        return { ...answer(405, 'send it as a POST'), headers: { allow: 'POST' } }
      }
      return received(hook, request, options)
    },
  })
}

async function received(
  hook: WebhookDeclaration & { readonly operator: string },
  request: ServerRequest,
  { log, trigger }: WebhookServerOptions,
): Promise<ServerResponse> {
  let keys: readonly string[]
  try {
    keys = keysIn(await hook.keysOf(await messageOf(request)))
  } catch (error) {
    if (isSetpointError(error, 'BODY_TOO_LARGE')) {
      return answer(413, 'the message is larger than 1 MiB')
    }
    // The sender learns that it was refused, the log learns why.
    log.warn({ err: error, webhook: hook.path }, 'a webhook was refused')
    return answer(400, 'the message was refused')
  }
  const isTaken = keys.every((key) => trigger(hook.operator, key, hook.path))
  return isTaken ? answer(202, 'accepted') : answer(503, 'another replica works: try again')
}

async function messageOf({ headers, body }: ServerRequest): Promise<IncomingWebhook> {
  const text = await readText(body, messageBytesMax)
  return { headers, text, json: () => JSON.parse(text) as unknown }
}

function answer(status: number, text: string): ServerResponse {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: `${text}\n` }
}
