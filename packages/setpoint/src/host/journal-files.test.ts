import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { type Files, type JournalFiles, nodeHost, nodeJournalFiles, virtualHost } from './index.ts'

interface Subject extends AsyncDisposable {
  readonly files: Files
  readonly journals: JournalFiles
  readonly directory: string
}

const subjects: Readonly<Record<string, () => Promise<Subject>>> = {
  node: async () => {
    const directory = await mkdtemp(`${tmpdir()}/setpoint-journal-`)
    return {
      files: nodeHost(),
      journals: nodeJournalFiles,
      directory,
      [Symbol.asyncDispose]: () => rm(directory, { recursive: true }),
    }
  },
  virtual: async () => {
    const host = virtualHost({ seed: 1, files: { '/data/other': '' } })
    return {
      files: host,
      journals: host,
      directory: '/data',
      [Symbol.asyncDispose]: async () => host.stop(),
    }
  },
}

test.each(Object.entries(subjects))(
  'what was appended can be read immediately, and an opened journal continues (%s host)',
  async (_, create) => {
    await using subject = await create()
    const path = `${subject.directory}/log`
    const first = await subject.journals.openJournal(path)
    first.append('one\n')
    first.append('two ü\n')
    expect(new TextDecoder().decode(await subject.files.readFile(path))).toBe('one\ntwo ü\n')
    first.close()
    const second = await subject.journals.openJournal(path)
    second.append('three\n')
    second.close()
    expect(new TextDecoder().decode(await subject.files.readFile(path))).toBe('one\ntwo ü\nthree\n')
  },
)

test.each(Object.entries(subjects))(
  'a directory is locked once, until the lock is disposed (%s host)',
  async (_, create) => {
    await using subject = await create()
    const lock = await subject.journals.lockDirectory(subject.directory)
    expect(lock).toBeDefined()
    expect(await subject.journals.lockDirectory(subject.directory)).toBeUndefined()
    await lock?.[Symbol.asyncDispose]()
    await using again = await subject.journals.lockDirectory(subject.directory)
    expect(again).toBeDefined()
  },
)

test.each(Object.entries(subjects))(
  'a directory that does not exist cannot be locked (%s host)',
  async (_, create) => {
    await using subject = await create()
    const locking = subject.journals.lockDirectory(`${subject.directory}/none`)
    await expect(locking).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' })
  },
)
