vim9script
# Tests in another Vim, in a terminal: modes, windows and autocommands are the real ones, and so are the pipes to its
# server, whose part the test plays. A child is a dictionary, for the functions below.

import autoload 'ide_companion/rpc.vim'

# Only what hangs takes so long, however busy the machine is.
const patience_ms = 20000
const tests_folder = expand('<sfile>:p:h')

const greeting = {capabilities: {experimental: {ideCompanion: {version: 1, agents: [
  {name: 'gemini', displayName: 'Gemini CLI', command: 'gemini', resumeArguments: ['--resume', 'latest']},
  {name: 'qwen', displayName: 'Qwen Code', command: 'qwen'},
]}}}}
var passed = 0
var failures: list<string> = []

# Pipes: of questions and answers, and of what the plugin and its server send each other. Each is opened for both, so
# that nobody waits for the other end, which may never come; so it is also for us to end the one that listens, when the
# one that talks has ended or was asked to. When the job is dead, both are.
const relay = 'trap : TERM; cat <> "$0/%s" & cat 1<> "$0/%s"; kill -KILL $!; wait'

def Pipe(folder: string, from: string, to: string, OnChunk: func(string)): job
  return job_start(['sh', '-c', printf(relay, from, to), folder], {
    mode: 'raw',
    noblock: 1,
    out_cb: (_, chunk) => {
      OnChunk(chunk)
    },
  })
enddef

# A Vim with a screen of 100 x 30, the plugin in its path, and a server that only listens.
#   sent      what the plugin has sent its server
#   greeting  what the server answers to `initialize`
#   result   what the server answers to a decision; null when it does not
#   results   what the server answers to other requests, by method; or a function of the parameters
#   OnDecision  is called before the answer to an acceptance
#   answers   of the plugin, to what the server has asked, by id
export def Child(): dict<any>
  const folder = tempname()
  mkdir(folder, 'p')
  system(printf('cd %s && mkfifo ask answer to-plugin from-plugin', folder))
  writefile(['set -e', 'cd ' .. folder, 'echo $$ > pid', 'cat <> to-plugin &', 'cat 1<> from-plugin || :', 'kill -KILL $!'],
    folder .. '/server')
  var child = {folder: folder, sent: [], greeting: greeting, result: {taken: true}, answers: {},
    results: {}, lists: {}, acts: {}, replies: {}, originals: {}, texts: {}, comments: {},
    last_id: 0}
  const plugin = fnamemodify(tests_folder, ':h')
  child.terminal = term_start([v:progpath, '-Nu', 'NONE', '-i', 'NONE', '-n', '--cmd', 'set rtp^=' .. plugin,
    # What the terminal would answer might come amid the keys of a test.
    '--cmd', 'set t_RV= t_RB= t_RF= t_u7=', '-S', tests_folder .. '/child.vim'],
    {env: {IDE_TEST_FOLDER: folder}, term_rows: 30, term_cols: 100, hidden: 1, term_finish: 'close'})
  child.job = term_getjob(child.terminal)
  const Lines = ByLine((line) => {
    const [id, value] = json_decode(line)
    child.replies[string(id)] = value
  })
  child.questions = Pipe(folder, 'answer', 'ask', Lines)
  Serve(child)
  Do(child, 'set ttimeout ttimeoutlen=5')
  return child
enddef

def ByLine(OnLine: func(string)): func(string)
  var state = {rest: ''}
  return (chunk) => {
    const lines = split(state.rest .. chunk, "\n", true)
    state.rest = lines[-1]
    for line in lines[: -2]
      OnLine(line)
    endfor
  }
enddef

# Plays the server, for as long as its process runs.
export def Serve(child: dict<any>)
  child.server = Pipe(child.folder, 'from-plugin', 'to-plugin', rpc.Reader((body) => {
    Take(child, json_decode(body))
  }))
enddef

# The server has a comment now. Returns all of its proposal.
def TakeComment(child: dict<any>, params: dict<any>): list<dict<any>>
  const all: list<dict<any>> = get(child.comments, params.id, [])
  const id: string = get(params, 'comment', string(len(all) + 1))
  const one = {id: id, side: params.side, startLine: params.startLine, endLine: params.endLine, text: params.text}
  child.comments[params.id] = copy(all)->filter((_, other) => other.id != id) + (params.text == '' ? [] : [one])
  return child.comments[params.id]
enddef

# Comments with the lines of the other side that are next to them.
export def WithAcross(child: dict<any>, id: string, all: list<dict<any>>): list<dict<any>>
  const hunks = Hunks(get(child.originals, id, ''), get(child.texts, id, ''))
  return mapnew(all, (_, one) => extendnew(one, {across: Across(one, hunks)}))
enddef

def Across(one: dict<any>, hunks: list<dict<any>>): number
  var by = 0
  for hunk in hunks
    const sides = [hunk.line, hunk.added, hunk.from, hunk.removed]
    const [here, size, there, other_size] = one.side == 'original' ? sides[2 :] + sides[: 1] : sides
    if one.endLine < here
      break
    elseif one.endLine < here + size
      return there + min([one.endLine - here, other_size - 1])
    endif
    by = there + other_size - here - size
  endfor
  return one.endLine + by
enddef

def Take(child: dict<any>, message: dict<any>)
  if !has_key(message, 'method')
    child.answers[string(message.id)] = message
    return
  endif
  add(child.sent, message)
  if message.method == 'companion/draft'
    const hunks = Hunks(get(child.originals, message.params.id, ''), message.params.content)
    child.texts[message.params.id] = message.params.content
    const all = WithAcross(child, message.params.id, get(child.comments, message.params.id, []))
    SendToPlugin(child, {id: message.id, result: {hunks: hunks, facts: [], comments: all}})
    return
  elseif message.method == 'companion/comment' && !has_key(child.results, message.method)
    SendToPlugin(child, {id: message.id, result: {comments: WithAcross(child, message.params.id, TakeComment(child, message.params))}})
    return
  endif
  if message.method == 'companion/list'
    const rows: list<any> = get(child.lists, message.params.list, [])
    const InBuffer = get(child, 'InBuffer', (row) => row)
    SendToPlugin(child, {id: message.id, result: {title: 'The list', none: 'There is nothing.',
      rows: rows->mapnew((_, row) => InBuffer(row))->filter((_, row) => stridx(row.text, get(message.params, 'wanted', '')) >= 0)}})
    return
  elseif message.method == 'companion/act'
    const Act = child.acts[message.params.action]
    SendToPlugin(child, {id: message.id, result: type(Act) == v:t_func ? Act(message.params) : Act})
    return
  endif
  if has_key(child, 'OnDecision') && message.method == 'companion/diffAccepted'
    child.OnDecision()
  endif
  if has_key(child.results, message.method)
    const Result = child.results[message.method]
    SendToPlugin(child, {id: message.id, result: type(Result) == v:t_func ? Result(message.params) : Result})
  elseif has_key(message, 'id')
    const answer = message.method =~ '^companion/diff' ? child.result : child.greeting
    if answer != null
      SendToPlugin(child, {id: message.id, result: answer})
    endif
    if has_key(child, 'OnDecision') && message.method == 'companion/diffAccepted'
      TellWritten(child, child.proposed)
    endif
  endif
enddef

# Sends a message to the plugin, as its server.
export def SendToPlugin(child: dict<any>, message: dict<any>)
  TellJson(child, json_encode(extend({jsonrpc: '2.0'}, message)))
enddef

# The agent of an accepted proposal has written its file, or has not.
export def TellWritten(child: dict<any>, path: string, is_written = true)
  const params = {id: '1', agent: 'Gemini CLI', filePath: path, label: 'main.ts', isNew: child.is_new, isWritten: is_written}
  SendToPlugin(child, {method: 'companion/fileWritten', params: params})
enddef

# A status, as the server sends it.
export def TellStatus(child: dict<any>, fields: dict<any>)
  const status = {port: 1, env: {}, sessions: [], diffs: [], ahead: [], line: '', sentence: ''}
  SendToPlugin(child, {method: 'companion/status', params: extendnew(status, fields)})
enddef

export def TellJson(child: dict<any>, body: string)
  try
    ch_sendraw(child.server, printf("Content-Length: %d\r\n\r\n", len(body)) .. body)
  catch /E63[01]\|E906/
    # The test has killed it a moment ago.
  endtry
enddef

# Asks the plugin something, as its server. Returns the whole answer.
export def Ask(child: dict<any>, method: string, params: dict<any>): dict<any>
  child.last_id += 1
  const key = string(child.last_id)
  SendToPlugin(child, {id: child.last_id, method: method, params: Compared(child, method, params)})
  Wait('answer to ' .. method, () => has_key(child.answers, key), () => Screen(child))
  return child.answers[key]
enddef

# The parameters with where the texts differ, as the server sends them.
def Compared(child: dict<any>, method: string, params: dict<any>): dict<any>
  if method == 'companion/openDiff' || method == 'companion/updateDiff'
    child.originals[params.id] = params.original ?? ''
    child.texts[params.id] = get(params, 'content', params.newContent)
    const shown: string = get(params, 'content', params.newContent)
    return extendnew(params, {hunks: Hunks(params.original ?? '', shown), edits: Hunks(get(params, 'seen', shown), shown)})
  endif
  return params
enddef

def Hunks(before: string, after: string): list<dict<number>>
  const files = [tempname(), tempname()]
  for [file, text] in [[files[0], before], [files[1], after]]
    const body = substitute(text, "^\uFEFF", '', '')
    const is_dos = count(body, "\n") > 0 && count(body, "\r\n") == count(body, "\n")
    writefile(split(is_dos ? substitute(body, "\r\n", "\n", 'g') : body, "\n", true), file, 'b')
  endfor
  var hunks: list<dict<number>> = []
  for line in systemlist('diff -a ' .. join(files))
    const parts = matchlist(line, '^\(\d\+\)\%(,\(\d\+\)\)\=\([acd]\)\(\d\+\)\%(,\(\d\+\)\)\=$')
    if !empty(parts)
      const [from, start] = [str2nr(parts[1]), str2nr(parts[4])]
      const removed = parts[3] == 'a' ? 0 : str2nr(parts[2] ?? parts[1]) - from + 1
      const added = parts[3] == 'd' ? 0 : str2nr(parts[5] ?? parts[4]) - start + 1
      add(hunks, {line: start + (added == 0 ? 1 : 0), added: added, from: from + (removed == 0 ? 1 : 0), removed: removed})
    endif
  endfor
  for file in files
    delete(file)
  endfor
  return hunks
enddef

def Wait(what: string, IsDone: func(): bool, Describe: func(): string = null_function)
  const start = reltime()
  while !IsDone()
    if reltimefloat(reltime(start)) * 1000 > patience_ms
      throw 'no ' .. what .. (Describe == null_function ? '' : "; seen instead:\n" .. Describe())
    endif
    sleep 5m
  endwhile
enddef

export def Screen(child: dict<any>): string
  return range(1, 30)->mapnew((_, row) => term_getline(child.terminal, row))->join("\n")
enddef

def Story(child: dict<any>): string
  return join([Screen(child), Eval(child, 'execute("messages")'), string(Eval(child, '[mode(1), state(), getcmdtype(), pumvisible()]')), 'sent: ' .. string(child.sent)], "\n")
enddef

# The value of an expression of legacy script in it.
export def Eval(child: dict<any>, expression: string): any
  child.last_id += 1
  const key = string(child.last_id)
  ch_sendraw(child.questions, json_encode(['expr', expression, child.last_id]) .. "\n")
  Wait('answer to ' .. expression, () => has_key(child.replies, key), () => Screen(child))
  if type(child.replies[key]) == v:t_string && child.replies[key] == 'ERROR'
    throw 'it failed: ' .. expression
  endif
  return child.replies[key]
enddef

# Runs a command in it. Throws when that fails.
export def Do(child: dict<any>, command: string)
  # Not in an expression: there, errors are silent.
  ch_sendraw(child.questions, json_encode(['ex', printf('let g:failure = g:Do(%s)', string(command))]) .. "\n")
  const failure = Eval(child, 'g:failure')
  if failure != ''
    throw command .. ': ' .. failure
  endif
enddef

# Types, as at the keyboard, and waits until all of it has been worked off.
export def Keys(child: dict<any>, keys: string)
  Eval(child, printf('feedkeys("%s", "t")', escape(keys, '"')))
  Wait('end of ' .. keys, () => Eval(child, 'state("m")') == '', () => Screen(child))
enddef

# Waits until an expression is true in it. Returns its value.
export def Until(child: dict<any>, expression: string): any
  var value: any = false
  Wait(expression, () => {
    value = Eval(child, expression)
    return !empty(value)
  }, () => Story(child))
  return value
enddef

# Waits until something is true here.
export def Eventually(child: dict<any>, what: string, IsDone: func(): bool)
  Wait(what, IsDone, () => Story(child))
enddef

# The parameters of the messages of a kind that the server has got.
export def Sent(child: dict<any>, method: string): list<any>
  return child.sent->copy()->filter((_, message) => message.method ==# method)->mapnew((_, message) => message.params)
enddef

# Waits for as many messages of a kind, and returns their parameters.
export def SentSo(child: dict<any>, method: string, count: number): list<any>
  Eventually(child, printf('%d %s', count, method), () => len(Sent(child, method)) >= count)
  return Sent(child, method)
enddef

# Starts the server, and waits until it has been greeted.
export def Start(child: dict<any>)
  Do(child, 'IdeCompanion start')
  Eventually(child, 'greeting', () => !empty(Sent(child, 'initialized')))
enddef

# A proposal, as the server sends it. Returns the answer.
export def Propose(child: dict<any>, fields: dict<any> = {}): dict<any>
  if empty(child.sent)
    Start(child)
  endif
  child.proposed = get(fields, 'filePath', '')
  child.is_new = get(fields, 'original', '') == null
  return Ask(child, 'companion/openDiff', extend({
    id: '1',
    agent: 'Gemini CLI',
    filePath: '/app/main.ts',
    label: 'main.ts',
    newContent: "one\n2\nthree\n",
    original: "one\ntwo\nthree\n",
    notes: [],
    facts: [],
  }, fields))
enddef

# Ends the server, as a crash would, with all that it has started.
export def KillServer(child: dict<any>)
  # A process that still listened would receive messages of the next one.
  End(child.server)
  const file = child.folder .. '/pid'
  # One that has just been started has sent nothing yet, and ends with its input.
  for pid in filereadable(file) ? readfile(file) : []
    system('kill -KILL -' .. pid)
  endfor
enddef

def End(job: job, how = 'term')
  Wait('end of ' .. string(job), () => {
    # Sent again: one that is just being started has no process group yet.
    job_stop(job, how)
    return job_status(job) == 'dead'
  })
enddef

# Waits until it has ended.
export def HasEnded(child: dict<any>)
  Wait('end of Vim', () => job_status(child.job) == 'dead', () => Screen(child))
enddef

export def Stop(child: dict<any>)
  End(child.job, 'kill')
  End(child.questions)
  KillServer(child)
  delete(child.folder, 'rf')
enddef

# A file in a folder of the test's own.
export def File(child: dict<any>, name: string, content: string): string
  const path = child.folder .. '/files/' .. name
  mkdir(fnamemodify(path, ':h'), 'p')
  writefile(split(content, "\n", true), path, 'b')
  return path
enddef

# $IDE_TEST_REPORT is for a caller with a standard output that cannot be opened by name.
def Print(text: string)
  writefile(split(text, "\n"), $IDE_TEST_REPORT ?? '/dev/stdout', 'a')
enddef

# `name` is a sentence.
export def Test(name: string, Body: func(dict<any>))
  if name !~ $IDE_TEST_ONLY
    return
  endif
  const child = Child()
  try
    Body(child)
    passed += 1
    Print('ok - ' .. name)
  catch
    add(failures, name)
    Print(printf("not ok - %s\n%s\n%s", name, v:exception, v:throwpoint))
  finally
    Stop(child)
  endtry
enddef

export def Same(actual: any, expected: any)
  if type(actual) != type(expected) || actual !=# expected
    throw printf("expected %s\ngot      %s", string(expected), string(actual))
  endif
enddef

export def Finish()
  Print(printf('%d passed, %d failed', passed, len(failures)))
  execute empty(failures) ? 'qall!' : 'cquit 1'
enddef

export def Layout(child: dict<any>): list<number>
  return Eval(child, '[tabpagenr("$"), len(getwininfo())]')
enddef

# Everything is as without a proposal.
export def UntilGone(child: dict<any>)
  Until(child, 'tabpagenr("$") == 1 && empty(filter(getbufinfo(), {_, b -> b.name =~ "\\(Gemini CLI\\|On disk\\)[^/]*: "}))')
enddef

export def Show(child: dict<any>)
  Do(child, 'IdeCompanion diff')
enddef

export def Texts(child: dict<any>): list<string>
  return Eval(child, 'map(tabpagebuflist(), {_, b -> join(getbufline(b, 1, "$"), "|")})')
enddef
