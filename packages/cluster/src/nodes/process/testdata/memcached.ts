import { connect } from 'node:net'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

export function isInstalled(program: string): boolean {
  const directories = (process.env['PATH'] ?? '').split(delimiter)
  return directories.some((directory) => existsSync(join(directory, program)))
}

/** Sends a request to memcached; the answer is complete when it ends with `ending`. */
export function ask(
  { hostname, port }: { hostname: string; port: number },
  question: string,
  ending: string,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, hostname)
    let answer = ''
    socket.setTimeout(5000, () => socket.destroy(new Error(`no answer from ${hostname}:${port}`)))
    socket.on('error', reject)
    socket.on('close', () => reject(new Error(`${hostname}:${port} hung up after ${answer}`)))
    socket.on('data', (data) => {
      answer += data.toString()
      if (!answer.endsWith(ending)) return
      resolve(answer)
      socket.destroy()
    })
    socket.write(question)
  })
}
