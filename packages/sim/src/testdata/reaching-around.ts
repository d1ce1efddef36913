import { randomUUID } from 'node:crypto'
import { get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { ConfigMap } from 'setpoint/kinds'
import type { Client } from 'setpoint/client'

/** Where the model of an external system answers. */
export const modelled = 'http://dns.example'

/** A reconcile that uses the real process in every way. */
export async function reachAround(name: string, client: Client): Promise<void> {
  if ((await client.find(ConfigMap, name)) !== undefined) return
  const data = {
    now: `${Date.now()} ${new Date().toISOString()} ${typeof performance.now()}`,
    chance: `${Math.random()} ${randomUUID()} ${crypto.getRandomValues(new Uint8Array(4)).join(' ')}`,
    waited: await waits(),
    answer: await answerOf(modelled),
    refused: await answerOf('http://unknown.example'),
    connection: await connect(),
  }
  await client.create(ConfigMap, { metadata: { name }, data })
}

/** How long three timers take. */
async function waits(): Promise<string> {
  const begin = Date.now()
  await new Promise<void>((resolve) => setTimeout(resolve, 60_000))
  await sleep(60_000)
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      clearInterval(timer)
      resolve()
    }, 60_000)
  })
  await new Promise<void>((resolve) => setImmediate(resolve))
  return String(Date.now() - begin)
}

async function answerOf(url: string): Promise<string> {
  try {
    const response = await fetch(`${url}/records`, { signal: AbortSignal.timeout(5000) })
    return JSON.stringify(await response.json())
  } catch (error) {
    return error instanceof Error && error.cause instanceof Error ? error.cause.message : 'unknown'
  }
}

async function connect(): Promise<string> {
  return new Promise((resolve) => {
    get('http://127.0.0.1:9', () => resolve('connected')).on('error', ({ message }) =>
      resolve(message),
    )
  })
}
