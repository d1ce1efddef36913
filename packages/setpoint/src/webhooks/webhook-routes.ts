import {
  type AdmissionDeclaration,
  admissionPath,
  readAdmissionReview,
  ReviewFailed,
  reviewObject,
  reviewOf,
} from '../admission/index.ts'
import type { AnyResourceDefinition } from '../definition/index.ts'
import type { Clock, ServerResponse, Timers } from '../host/index.ts'
import type { Logger } from '../log/index.ts'
import type { AnyOperator } from '../operator/index.ts'
import { type BoundedRequest, textResponse } from '../server/index.ts'
import { conversionPath, convertedReview, readConversionReview } from './conversion-review.ts'

/** Answers the requests for one path. */
export type WebhookRoute = (request: BoundedRequest) => Promise<ServerResponse>

interface RoutesOptions {
  readonly host: Clock & Timers
  readonly log: Logger
}

const json = { 'content-type': 'application/json' }

/** The functions of operators and the conversions of their definitions, by path. */
export function webhookRoutes(
  operators: readonly AnyOperator[],
  options: RoutesOptions,
): Map<string, WebhookRoute> {
  const routes = new Map<string, WebhookRoute>()
  for (const { declaration } of operators) {
    const { name } = declaration.options
    for (const admission of declaration.admission) {
      const log = options.log.child({ operator: name })
      routes.set(admissionPath(admission, name), admissionRoute(admission, { ...options, log }))
    }
  }
  for (const definition of convertedDefinitions(operators)) {
    routes.set(conversionPath(definition), conversionRoute(definition, options))
  }
  return routes
}

/** The definitions with several versions, each once. */
export function convertedDefinitions(operators: readonly AnyOperator[]): AnyResourceDefinition[] {
  const own = operators.flatMap(({ declaration: { definition } }) => definition ?? [])
  return [...new Set(own)].filter(({ versions }) => versions.length > 1)
}

function admissionRoute(admission: AdmissionDeclaration, options: RoutesOptions): WebhookRoute {
  const { host } = options
  return async ({ path, headers, peer, signal, text }) => {
    const request = readAdmissionReview(await text())
    if (typeof request === 'string') return textResponse(400, request)
    const log = (): Logger => {
      const { operation, name = '', namespace = '', uid } = request
      return options.log.child({ webhook: admission.id, operation, name, namespace, review: uid })
    }
    try {
      const timeoutMs = deadlineMs(path, admission.timeoutSeconds * 1000)
      const response = await reviewObject(admission, request, {
        host,
        log,
        caller: { headers, certificate: peer.certificate },
        timeoutMs,
        signal,
      })
      return { status: 200, headers: json, body: reviewOf(response) }
    } catch (error) {
      if (error instanceof ReviewFailed) return textResponse(500, error.message)
      throw error
    }
  }
}

function conversionRoute(definition: AnyResourceDefinition, { log }: RoutesOptions): WebhookRoute {
  return async ({ text }) => {
    const request = readConversionReview(await text())
    if (typeof request === 'string') return textResponse(400, request)
    return { status: 200, headers: json, body: convertedReview(definition, request, log) }
  }
}

/** Before the deadline of the API server, so that it gets the reason. */
const marginMsMax = 500

/** How long a function may take: the timeout of the request, or its own, less a margin. */
function deadlineMs(path: string, ownMs: number): number {
  const [, amount, unit] = /[?&]timeout=([\d.]+)(ms|s|m)(?:&|$)/.exec(path) ?? []
  const units = { ms: 1, s: 1000, m: 60_000 }
  const askedMs = Number(amount) * units[unit as keyof typeof units]
  const limitMs = askedMs > 0 ? Math.min(askedMs, ownMs) : ownMs
  return limitMs - Math.min(marginMsMax, limitMs / 10)
}
