import { gunzipSync } from 'node:zlib'
import { readBytes, type HttpResponse } from 'setpoint/host'
import { isJsonObject, jsonEquals, type JsonValue } from 'setpoint/schema'
import type {
  Answer,
  ConformanceCase,
  Expectation,
  Request,
  Step,
  Watch,
} from './conformance-case.ts'
import { Normaliser } from './normalise.ts'
import { isProtobuf, protobufEvents, protobufValue } from './protobuf-answer.ts'
import type { Target } from './target.ts'

const answerBytesMax = 32 * 1024 * 1024
const attemptsMax = 300
const watchMsMax = 10_000
// Longer than a server waits for a future revision before it answers with an error.
const answerMsMax = 20_000

/** Runs a script on a server and returns its normalised answers. */
export async function runCase(
  target: Target,
  entry: ConformanceCase,
  namespace: string,
): Promise<Answer[]> {
  const answers: Answer[] = []
  await runSteps(new CaseRun(target, namespace), entry, answers)
  return answers
}

/** Like `runCase`; a step without an answer ends the script with the error as its answer. */
export async function runUntilFailure(
  target: Target,
  entry: ConformanceCase,
  namespace: string,
): Promise<Answer[]> {
  const answers: Answer[] = []
  const run = new CaseRun(target, namespace)
  try {
    await runSteps(run, entry, answers)
  } catch (error) {
    answers.push(run.failure(error))
  }
  return answers
}

async function runSteps(
  run: CaseRun,
  { steps, isClusterWide, cleanup }: ConformanceCase,
  answers: Answer[],
): Promise<void> {
  if (isClusterWide !== true) await run.setUpNamespace()
  try {
    for (const step of steps) answers.push(...(await run.step(step)))
  } finally {
    for (const path of cleanup ?? []) await run.remove(path)
    if (isClusterWide !== true) await run.remove('/api/v1/namespaces/{ns}')
  }
}

class CaseRun {
  readonly #target: Target
  readonly #values: Map<string, string>
  readonly #normaliser: Normaliser

  constructor(target: Target, namespace: string) {
    this.#target = target
    const { url: hook, caBundle } = target.hooks
    // The reviews of earlier cases.
    target.hooks.take()
    const { modernPort, legacyPort } = target.aggregated
    const ports = { modernPort: String(modernPort), legacyPort: String(legacyPort) }
    this.#values = new Map(Object.entries({ ns: namespace, hook, caBundle, ...ports }))
    this.#normaliser = new Normaliser(namespace)
  }

  async setUpNamespace(): Promise<void> {
    const ns = this.#values.get('ns') ?? ''
    await this.#succeed({
      method: 'POST',
      path: '/api/v1/namespaces',
      body: { metadata: { name: ns } },
    })
    const account = { metadata: { name: 'default' } }
    const path = `/api/v1/namespaces/${ns}/serviceaccounts`
    await this.#send({ method: 'POST', path, body: account })
  }

  failure(error: unknown): Answer {
    return { code: 0, body: { message: this.#normaliser.text(String(error)) } }
  }

  async remove(path: string): Promise<void> {
    await this.#send({ method: 'DELETE', path })
  }

  async step(step: Step): Promise<Answer[]> {
    if ('watch' in step) return this.#watch(step)
    if ('compact' in step) {
      await this.#target.compact()
      return []
    }
    if ('reviews' in step) return this.#reviews()
    if (step.isSetup === true) {
      await this.#succeed(step)
      return []
    }
    const { response, body } = await this.#send(step)
    return [this.#answer(step, response, body)]
  }

  /** The namespace of a case selects its own requests. */
  #reviews(): Answer[] {
    const body = this.#target.hooks.take().map((review) => this.#normaliser.value(review))
    return [{ code: 0, body }]
  }

  async #succeed(request: Request): Promise<void> {
    const { response, body } = await this.#send(request)
    if (response.status >= 300 && request.until === undefined) {
      throw new Error(
        `${request.method} ${request.path} should have succeeded: ${response.status} ${JSON.stringify(body)}`,
      )
    }
  }

  async #send(request: Request): Promise<{ response: HttpResponse; body: JsonValue }> {
    for (let attempt = 1; ; attempt += 1) {
      const response = await this.#request(request, AbortSignal.timeout(answerMsMax))
      const bytes = await readBytes(response.body, answerBytesMax)
      const isZipped = response.headers['content-encoding'] === 'gzip'
      const plain = isZipped ? gunzipSync(bytes) : bytes
      const text = Buffer.from(plain).toString('utf8')
      const body = request.isRaw === true ? text : await valueOf(response, plain)
      if (
        request.until !== undefined &&
        !matchesExpectation(response.status, body, request.until)
      ) {
        if (attempt === attemptsMax) {
          throw new Error(`${request.path} never matched ${JSON.stringify(request.until)}: ${text}`)
        }
        await this.#target.pause()
        continue
      }
      this.#capture(request, body)
      return { response, body }
    }
  }

  #capture(request: Request, body: JsonValue): void {
    for (const [name, path] of Object.entries(request.capture ?? {})) {
      const value = valueAt(body, path.split('.'))
      if (typeof value !== 'string' && typeof value !== 'number') {
        if (request.isCaptureOptional === true) continue
        throw new Error(
          `${request.method} ${request.path}: the answer has no ${path}: ${JSON.stringify(body)}`,
        )
      }
      this.#values.set(name, String(value))
    }
  }

  async #request(
    request: Pick<Request, 'method' | 'path' | 'headers' | 'body'>,
    signal?: AbortSignal,
  ): Promise<HttpResponse> {
    const { network, url, tls } = this.#target
    const payload = this.#payload(request.body)
    const headers: Record<string, string> = {}
    if (payload !== undefined) headers['content-type'] = 'application/json'
    headers['user-agent'] = 'conformance/1.0'
    for (const [name, value] of Object.entries(request.headers ?? {}))
      headers[name] = this.#fill(value)
    return network.request({
      method: request.method,
      url: url + this.#fill(request.path),
      headers,
      ...(payload === undefined ? {} : { body: payload }),
      ...(headers['authorization'] !== undefined ? { tls: { ca: tls?.ca } } : { tls }),
      ...(signal === undefined ? {} : { signal }),
    })
  }

  #payload(body: Request['body']): string | Uint8Array | undefined {
    if (body === undefined) return undefined
    if (isJsonObject(body)) {
      const { text, base64 } = body as { text?: unknown; base64?: unknown }
      const isOnly = Object.keys(body).length === 1
      if (isOnly && typeof text === 'string') return this.#fill(text)
      if (isOnly && typeof base64 === 'string') return Buffer.from(base64, 'base64')
    }
    return this.#fill(JSON.stringify(body))
  }

  #fill(text: string): string {
    return text.replace(
      /\{([a-zA-Z]\w*)\}/g,
      (whole, name: string) => this.#values.get(name) ?? whole,
    )
  }

  #answer(request: Request, response: HttpResponse, body: JsonValue): Answer {
    const { 'content-type': type, warning } = response.headers
    const shown = (request.showHeaders ?? []).map((name) => [
      name,
      this.#normaliser.text(response.headers[name] ?? ''),
    ])
    return {
      code: response.status,
      ...(type === undefined ? {} : { type }),
      ...(warning === undefined ? {} : { warning: this.#normaliser.text(warning) }),
      ...(shown.length === 0
        ? {}
        : { headers: Object.fromEntries(shown) as Record<string, string> }),
      body: this.#normaliser.value(
        request.show === undefined ? body : shownParts(body, request.show),
      ),
    }
  }

  async #watch({ watch, headers, during, events }: Watch): Promise<Answer[]> {
    const controller = new AbortController()
    const request = {
      method: 'GET',
      path: watch,
      ...(headers === undefined ? {} : { headers }),
    } as const
    const response = await this.#request(request, controller.signal)
    if (response.status >= 300) {
      const bytes = await readBytes(response.body, answerBytesMax)
      return [this.#answer(request, response, await valueOf(response, bytes))]
    }
    for (const step of during) await this.#succeed(step)
    // A watch with too few events must fail the case, not block the run.
    const timer = setTimeout(() => controller.abort(), watchMsMax)
    const lines: JsonValue[] = []
    try {
      for await (const event of eventsOf(response)) {
        lines.push(event)
        if (lines.length === events) break
      }
    } catch (error) {
      if (!controller.signal.aborted) throw error
      lines.push('no further event came')
    } finally {
      clearTimeout(timer)
      controller.abort()
    }
    return [this.#answer(request, response, lines)]
  }
}

async function valueOf({ headers }: HttpResponse, bytes: Uint8Array): Promise<JsonValue> {
  const type = headers['content-type'] ?? ''
  if (bytes.length === 0) return ''
  if (type.includes('stream=watch') && isProtobuf(type)) return framesOf(bytes)
  if (isProtobuf(type)) return protobufValue(bytes)
  return parsed(Buffer.from(bytes).toString('utf8'))
}

/** The events of a watch that was read to its end. */
async function framesOf(bytes: Uint8Array): Promise<JsonValue[]> {
  async function* body(): AsyncGenerator<Uint8Array> {
    yield await Promise.resolve(bytes)
  }
  const events: JsonValue[] = []
  for await (const event of protobufEvents(body())) events.push(event)
  return events
}

async function* eventsOf({ headers, body }: HttpResponse): AsyncGenerator<JsonValue> {
  if (isProtobuf(headers['content-type'])) yield* protobufEvents(body)
  else for await (const line of linesOf(body)) yield parsed(line)
}

async function* linesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let rest = ''
  for await (const bytes of body) {
    rest += Buffer.from(bytes).toString('utf8')
    for (let end = rest.indexOf('\n'); end !== -1; end = rest.indexOf('\n')) {
      yield rest.slice(0, end)
      rest = rest.slice(end + 1)
    }
  }
  if (rest !== '') yield rest
}

function matchesExpectation(
  status: number,
  body: JsonValue,
  { code, path, value }: Expectation,
): boolean {
  if (code !== undefined && status !== code) return false
  if (path === undefined) return true
  const found = valueAt(body, path.split('.'))
  return found !== undefined && (value === undefined || jsonEquals(found, value))
}

function shownParts(body: JsonValue, paths: readonly string[]): JsonValue {
  return Object.fromEntries(paths.map((path) => [path, valueAt(body, path.split('.')) ?? null]))
}

function parsed(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue
  } catch {
    const lines = text.trim().split('\n')
    if (lines.length > 1 && text.startsWith('{"type":')) return lines.map((line) => parsed(line))
    return text
  }
}

function valueAt(value: JsonValue, path: readonly string[]): JsonValue | undefined {
  let at: JsonValue | undefined = value
  for (const step of path) {
    if (Array.isArray(at)) at = at[Number(step)]
    else if (isJsonObject(at)) at = at[step]
    else return undefined
  }
  return at
}
