vim9script
# The companion's process: starts it, restarts it when it dies, and sends it the workspace folders.

import autoload 'ide_companion/agents.vim'
import autoload 'ide_companion/browser.vim'
import autoload 'ide_companion/capabilities.vim'
import autoload 'ide_companion/comments.vim'
import autoload 'ide_companion/config.vim'
import autoload 'ide_companion/context.vim'
import autoload 'ide_companion/diff.vim'
import autoload 'ide_companion/log.vim'
import autoload 'ide_companion/reload.vim'
import autoload 'ide_companion/rpc.vim'
import autoload 'ide_companion/say.vim'
import autoload 'ide_companion/screens.vim'
import autoload 'ide_companion/status.vim'
import autoload 'ide_companion/stored.vim'
import autoload 'ide_companion/written.vim'

const protocol_version = 1
# After a process has run for so long, the next restart waits only for the first delay.
const stable_s = 60
const first_delay_s = 1
const longest_delay_s = 60
# How long a server may take to end before it gets a signal, and then the next one.
const farewell_ms = 2000
const farewells = ['term', 'kill']

# Empty when none runs.
var connection: dict<any> = {}
var folders: list<string> = []
var wanted = false
# Whether the server is ending, and whether another one shall follow.
var stopping = false
var again = false
var delay = first_delay_s
var timer = 0
var farewell = 0
# Whether the current server has answered.
var answered = false
var last_words = ''

def OnMessage(params: dict<any>)
  if params.type == 1
    say.Error(params.message)
  elseif params.type == 2
    say.Warn(params.message)
  else
    say.Info(params.message)
  endif
enddef

def OnStderr(line: string)
  last_words = line =~ '\S' ? line : last_words
  log.Add(line)
enddef

# Lambdas: the scripts that they call are loaded with the first call.
const handlers: dict<func> = {
  'companion/openDiff': (params) => diff.Open(params),
  'companion/closeDiff': (params) => diff.Close(params),
  'companion/readDiff': (params) => diff.Read(params),
  'companion/updateDiff': (params) => diff.Update(params),
  'companion/openFile': (params) => capabilities.Open(params),
  'companion/diagnostics': (params) => capabilities.Diagnostics(params),
  'companion/readTerminal': (params) => screens.Read(params),
  'companion/typeInTerminal': (params) => screens.Type(params),
  'companion/comments': (params) => comments.Take(params),
  'companion/fileWritten': (params) => reload.Written(params),
  'companion/news': (params) => stored.News(params),
  'companion/status': (params) => status.Set(params),
  'companion/writtenHunks': (params) => written.Hunks(params),
  'window/showDocument': (params) => ({success: params.external && browser.Open(params.uri)}),
  'window/showMessage': OnMessage,
  'window/logMessage': (params) => log.Add(params.message),
}

# Absolute paths of the folders in which agents find this Vim.
def CurrentFolders(): list<string>
  const Root = config.Options().root
  return type(Root) == v:t_func ? Root() : [getcwd(-1)]
enddef

def ToLsp(all: list<string>): list<dict<string>>
  return mapnew(all, (_, folder) => ({uri: folder, name: fnamemodify(folder, ':t')}))
enddef

def InitializeParams(): dict<any>
  const options = config.Options()
  return {
    processId: getpid(),
    clientInfo: {name: 'Vim', version: printf('%d.%d.%d', v:version / 100, v:version % 100, v:versionlong % 10000)},
    rootUri: null,
    workspaceFolders: ToLsp(folders),
    initializationOptions: {
      exclude: options.exclude,
      excludeGitIgnored: !!options.exclude_git_ignored,
      agentAccept: !!options.agent_accept,
    },
    capabilities: {
      window: {showDocument: {support: browser.IsThere()}},
      experimental: {ideCompanion: {version: protocol_version, openFile: true, diagnostics: true, comments: true,
        terminals: !!has('terminal'), repositories: options.root == null}},
    },
  }
enddef

def Launch()
  const started_at = localtime()
  answered = false
  last_words = ''
  try
    folders = CurrentFolders()
    connection = rpc.Start({
      cmd: config.Options().cmd,
      handlers: handlers,
      OnStderr: OnStderr,
      OnExit: (code) => {
        OnExit(code, started_at)
      },
    })
  catch /^ide-companion: /
    wanted = false
    TellWhy(v:exception)
    return
  endtry
  rpc.Request(connection, 'initialize', InitializeParams(), (result, failure) => {
    OnInitialized(result, failure)
  })
  augroup ide_companion_roots
    autocmd!
    autocmd DirChanged * FollowFolders()
  augroup END
enddef

# The most frequent cause with its remedy, short enough for the command line.
def TellWhy(failure: string)
  log.Add(failure)
  if failure =~ '^ide-companion: ide-companion is not executable'
    say.Error('ide-companion is missing: npm install --global ide-companion')
  else
    say.Error(failure .. '. See :IdeCompanion doctor')
  endif
enddef

def OnInitialized(result: any, failure: any)
  answered = true
  const ours = failure == null ? Experimental(result) : {}
  if get(ours, 'version', 0) != protocol_version
    Stop()
    const why = failure == null ? 'it is of another version than this plugin' : failure.message
    say.Error('ide-companion cannot be used: ' .. why)
    return
  endif
  agents.Set(get(ours, 'agents', []))
  rpc.Notify(connection, 'initialized', {})
  const mine = connection
  context.Start((method, params) => {
    rpc.Notify(mine, method, params)
  })
enddef

# The server's answer to `initialize` outside of LSP.
def Experimental(result: dict<any>): dict<any>
  return result->get('capabilities', {})->get('experimental', {})->get('ideCompanion', {})
enddef

# The folders follow the working directory.
def FollowFolders()
  const [before, now] = [folders, CurrentFolders()]
  if before != now && !empty(connection)
    folders = now
    const change = {added: ToLsp(now), removed: ToLsp(before)}
    rpc.Notify(connection, 'workspace/didChangeWorkspaceFolders', {event: change})
  endif
enddef

def OnExit(code: number, started_at: number)
  connection = {}
  stopping = false
  timer_stop(farewell)
  context.Stop()
  status.Clear()
  diff.Orphan()
  autocmd! ide_companion_roots
  log.Add(printf('the server has ended with %d', code))
  if v:exiting != null
    return
  endif
  if again
    again = false
    Start()
  elseif wanted
    StartLater(code, started_at)
  endif
enddef

def StartLater(code: number, started_at: number)
  if !answered # another start would not help
    wanted = false
    delay = first_delay_s
    const why = last_words == '' ? 'exit code ' .. code : last_words
    say.Error('See :IdeCompanion doctor. The server ends at once: ' .. why)
    return
  endif
  if localtime() - started_at > stable_s
    delay = first_delay_s
  endif
  say.Warn(printf('ide-companion has ended with %d, starting it again in %d s', code, delay))
  timer = timer_start(delay * 1000, (_) => {
    if wanted && empty(connection)
      Launch()
    endif
  })
  delay = min([delay * 2, longest_delay_s])
enddef

export def IsRunning(): bool
  return !empty(connection)
enddef

# A Vim in which git wants a message ends soon: an agent that connects to it would be left alone.
def IsOfGit(): bool
  return exists('$GIT_EXEC_PATH') && exists('$GIT_PREFIX')
enddef

export def Start()
  if IsOfGit()
    say.Info('Git has started this Vim for a message: it serves no agent.')
    return
  endif
  wanted = true
  again = stopping
  if empty(connection)
    timer_stop(timer)
    Launch()
  endif
enddef

# Starts with the first file, unless the option `auto_start` is off.
export def AutoStart()
  if config.Options().auto_start && !IsOfGit()
    Start()
  endif
enddef

# Stops the server until the next start.
export def Stop()
  wanted = false
  again = false
  timer_stop(timer)
  if empty(connection) || stopping
    return
  endif
  stopping = true
  const mine = connection
  rpc.Request(mine, 'shutdown', {}, (_, _) => {
    rpc.Notify(mine, 'exit', {})
  })
  var signals = copy(farewells)
  farewell = timer_start(farewell_ms, (_) => {
    job_stop(mine.job, remove(signals, 0))
  }, {repeat: len(farewells)})
enddef

export def Restart()
  delay = first_delay_s
  Stop()
  Start()
enddef

# OnAnswer gets the result and the failure; one of them is null.
export def Request(method: string, params: dict<any>, OnAnswer: func(any, any))
  if empty(connection)
    OnAnswer(null, {message: 'The companion is not running. Start it by :IdeCompanion start'})
  else
    rpc.Request(connection, method, params, OnAnswer)
  endif
enddef

# Sends a request. OnResult gets the result; a failure is shown.
export def Ask(method: string, params: dict<any>, OnResult: func(dict<any>))
  Request(method, params, (result, failure) => {
    if failure != null
      say.Error(failure.message)
    else
      OnResult(result)
    endif
  })
enddef

defcompile
