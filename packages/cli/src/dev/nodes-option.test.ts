import { virtualHost } from 'setpoint/host'
import { expect, test } from 'vitest'
import type { CommandInput } from '../command/index.ts'
import { RecordingTerminal } from '../system/testdata/recording-terminal.ts'
import { nodesOption } from './nodes-option.ts'

async function nodesOf(options: Readonly<Record<string, string>>, images = ''): Promise<unknown> {
  const host = virtualHost({ seed: 1, files: { '/project/images.yaml': images } })
  const input: CommandInput = {
    arguments: [],
    has: (name) => name in options,
    value: (name) => options[name],
    values: () => [],
  }
  const signal = new AbortController().signal
  return nodesOption({ host, terminal: new RecordingTerminal(), folder: '/project', signal }, input)
}

test('--nodes is a number or off', async () => {
  expect(await nodesOf({})).toBeUndefined()
  expect(await nodesOf({ nodes: '5' })).toBe(5)
  expect(await nodesOf({ nodes: 'off' })).toBe('off')
  await expect(nodesOf({ nodes: 'many' })).rejects.toThrow(
    '--nodes is many, which is not a number of nodes',
  )
})

test('names the file of images in parse errors', async () => {
  await expect(nodesOf({ images: 'images.yaml' }, 'a: [')).rejects.toThrow('/project/images.yaml: ')
  await expect(nodesOf({ images: 'images.yaml' }, 'a: 3')).rejects.toThrow('a has no command')
})

test('resolves relative programs and scripts against the folder of the file of images', async () => {
  const images = [
    "cache*: { command: cached, lastArgs: ['-l', $(POD_IP)] }",
    'tool: { command: ./bin/tool }',
    'operator: { command: [node, --enable-source-maps, ./dist/operator.mjs, .hidden] }',
  ].join('\n')
  expect(await nodesOf({ images: 'images.yaml' }, images)).toEqual({
    process: {
      images: {
        'cache*': { command: ['cached'], lastArgs: ['-l', '$(POD_IP)'] },
        tool: { command: ['/project/bin/tool'] },
        operator: {
          command: ['node', '--enable-source-maps', '/project/dist/operator.mjs', '.hidden'],
        },
      },
    },
  })
})

test('refuses an image without a command', async () => {
  await expect(nodesOf({ images: 'images.yaml' }, 'cache: { args: [a] }')).rejects.toThrow(
    '/project/images.yaml: cache has no command',
  )
  await expect(nodesOf({ images: 'images.yaml' }, '')).rejects.toThrow('it has no images')
})
