import { request, type Agent } from 'node:https'

/** One request of the load. */
export interface Call {
  readonly method: string
  readonly path: string
  readonly body?: object
  readonly type?: string
}

/** Where calls go. */
interface Target {
  readonly url: string
  readonly agent: Agent
}

/** Sends one request and reads the whole answer. */
export function send({ url, agent }: Target, call: Call): Promise<{ code: number; text: string }> {
  return new Promise((resolve, reject) => {
    const body = call.body === undefined ? undefined : JSON.stringify(call.body)
    const headers =
      body === undefined
        ? {}
        : {
            'content-type': call.type ?? 'application/json',
            'content-length': Buffer.byteLength(body),
          }
    const sent = request(
      `${url}${call.path}`,
      { agent, method: call.method, headers },
      (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.on('end', () => {
          resolve({ code: answer.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') })
        })
        answer.on('error', reject)
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
}

/** Sends `count` calls, sixteen in parallel; every one must succeed. */
export async function sendMany(
  target: Target,
  count: number,
  callOf: (index: number) => Call,
): Promise<void> {
  let next = 0
  const worker = async (): Promise<void> => {
    while (next < count) {
      const call = callOf(next)
      next += 1
      const { code, text } = await send(target, call)
      if (code >= 300) throw new Error(`${call.method} ${call.path}: ${code} ${text}`)
    }
  }
  await Promise.all(Array.from({ length: 16 }, worker))
}

/** Opens a watch and resolves with the time of its first event. */
export function watchOnce(
  target: Target,
  path: string,
): Promise<{ event: Promise<void>; close: () => void }> {
  return new Promise((resolve, reject) => {
    let arrived: () => void = () => undefined
    const event = new Promise<void>((done) => (arrived = done))
    const sent = request(`${target.url}${path}`, { agent: target.agent }, (answer) => {
      answer.on('data', () => arrived())
      answer.on('error', () => arrived())
      resolve({ event, close: () => sent.destroy() })
    })
    sent.on('error', reject)
    sent.end()
  })
}
