vim9script
# JSON-RPC with a process, in LSP's framing. Vim's channel mode for it discards a message that is not complete within
# 100 ms, as happens on a busy machine; this module waits for it. See docs/inside/decisions/0012-vim.md.

import autoload 'ide_companion/log.vim'
import autoload 'ide_companion/say.vim'

# How long the output of an ended process is read: another one may hold its pipes open.
const drain_ms = 1000

# Cuts a stream into messages.
export def Reader(OnMessage: func(string)): func(string)
  var stream = {parts: [], size: 0, needed: -1}
  return (chunk) => {
    Feed(stream, chunk, OnMessage)
  }
enddef

def Feed(stream: dict<any>, chunk: string, OnMessage: func(string))
  add(stream.parts, chunk)
  stream.size += len(chunk)
  # A large message comes in many chunks, which are joined when the last one is here.
  while stream.size > 0 && stream.size >= stream.needed
    const all = join(stream.parts, '')
    if stream.needed >= 0
      const body = strpart(all, 0, stream.needed)
      # Before the message is handled: the handler may let the next chunk in.
      Keep(stream, strpart(all, stream.needed), -1)
      Handle(body, OnMessage)
      continue
    endif
    const head_end = stridx(all, "\r\n\r\n")
    if head_end < 0
      Keep(stream, all, -1)
      return
    endif
    const head = strpart(all, 0, head_end)
    Keep(stream, strpart(all, head_end + 4), str2nr(matchstr(head, '\ccontent-length: *\zs\d\+')))
  endwhile
enddef

# A message that cannot be handled stops no other.
def Handle(body: string, OnMessage: func(string))
  try
    OnMessage(body)
  catch
    say.Error(printf('%s (%s)', v:exception, v:throwpoint))
  endtry
enddef

def Keep(stream: dict<any>, rest: string, needed: number)
  stream.parts = [rest]
  stream.size = len(rest)
  stream.needed = needed
enddef

# Whether a message holds a character that Vim's strings cannot hold: NUL, or half of a pair of surrogates.
def IsInexact(body: string): bool
  return (stridx(body, '\u0000') >= 0 || stridx(body, '\ud') >= 0)
    && body =~ '\C\%(^\|[^\\]\)\%(\\\\\)*\\u\%(0000\|d[89a-f]\)'
enddef

# The callbacks of a job, for job_start(), that call OnExit once: with its exit code, after its last output.
def AtEnd(OnExit: func(number)): dict<any>
  var end = {exited: false, closed: false, code: 0, timer: 0}
  const Finish = () => {
    if end.exited && end.closed
      timer_stop(end.timer)
      OnExit(end.code)
    endif
  }
  const Close = (_) => {
    if !end.closed
      end.closed = true
      Finish()
    endif
  }
  const Exit = (_, code) => {
    extend(end, {exited: true, code: code, timer: timer_start(drain_ms, Close)})
    Finish()
  }
  return {close_cb: Close, exit_cb: Exit}
enddef

# Starts a process and exchanges messages with it.
#   cmd: list<string>
#   handlers: dict<func>      by method: answer a request, and may throw; or handle a notification
#   OnStderr: func(string)    a line
#   OnExit: func(number)      with its exit code, after its last output
# Parameters that Vim cannot represent exactly have `inexact`.
# Returns a connection, for the functions below. Throws when the process cannot be started.
export def Start(options: dict<any>): dict<any>
  const cmd: list<string> = options.cmd
  if !executable(cmd[0])
    throw printf('ide-companion: %s is not executable', cmd[0])
  endif
  var connection = {waiting: {}, last_id: 0}
  const Read = Reader((body) => {
    Take(connection, options, body)
  })
  const OnStderr: func(string) = options.OnStderr
  connection.job = job_start(cmd, extend(AtEnd(options.OnExit), {
    mode: 'raw',
    err_mode: 'nl',
    # Both sides may be writing more than a pipe holds.
    noblock: 1,
    # It ends with its input, and cleans up.
    stoponexit: '',
    out_cb: (_, chunk) => {
      Read(chunk)
    },
    err_cb: (_, line) => {
      OnStderr(line)
    },
  }))
  return connection
enddef

def Take(connection: dict<any>, options: dict<any>, body: string)
  var message: dict<any> = json_decode(body)
  if !has_key(message, 'method')
    TakeAnswer(connection, message)
    return
  endif
  var params: dict<any> = get(message, 'params', {})
  if IsInexact(body)
    params.inexact = true
  endif
  if has_key(message, 'id')
    Send(connection, extend({id: message.id}, ToAnswer(options.handlers, message.method, params)))
  elseif has_key(options.handlers, message.method)
    options.handlers[message.method](params)
  endif
enddef

def TakeAnswer(connection: dict<any>, message: dict<any>)
  const key = string(get(message, 'id', -1))
  if has_key(connection.waiting, key)
    const OnAnswer: func(any, any) = remove(connection.waiting, key)
    OnAnswer(get(message, 'result', null), get(message, 'error', null))
  endif
enddef

def ToAnswer(handlers: dict<func>, method: string, params: dict<any>): dict<any>
  if !has_key(handlers, method)
    return {error: {code: -32601, message: 'unknown: ' .. method}}
  endif
  try
    return {result: handlers[method](params)}
  catch
    log.Add(printf('%s: %s (%s)', method, v:exception, v:throwpoint))
    return {error: {code: -32603, message: v:exception}}
  endtry
enddef

def Send(connection: dict<any>, message: dict<any>)
  const body = json_encode(extend({jsonrpc: '2.0'}, message))
  try
    ch_sendraw(connection.job, printf("Content-Length: %d\r\n\r\n", len(body)) .. body)
  catch /E63[01]\|E906/
    # The process has ended a moment ago; OnExit reports that.
  endtry
enddef

export def Notify(connection: dict<any>, method: string, params: dict<any>)
  Send(connection, {method: method, params: params})
enddef

# OnAnswer gets the result and the error; one of them is null.
export def Request(connection: dict<any>, method: string, params: dict<any>, OnAnswer: func(any, any))
  connection.last_id += 1
  connection.waiting[string(connection.last_id)] = OnAnswer
  Send(connection, {id: connection.last_id, method: method, params: params})
enddef

defcompile
