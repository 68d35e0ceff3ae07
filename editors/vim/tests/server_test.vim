vim9script

import './harness.vim'
import './status.vim'

const Test = harness.Test
const Same = harness.Same

Test('nothing but a command is loaded at the start', (child) => {
  # `A` are those that would be loaded if something of them was used.
  Same(harness.Eval(child, 'filter(split(execute("scriptnames"), "\n"), {_, s -> s =~ "ide_companion" && s !~ " A:"})')
    ->mapnew((_, line) => fnamemodify(line, ':h:t')), ['plugin'])
})

Test('the first file starts it', (child) => {
  harness.Do(child, 'edit ' .. harness.File(child, 'a.txt', ''))
  const params = harness.SentSo(child, 'initialize', 1)[0]
  const able = {version: 1, openFile: true, diagnostics: true, comments: true, terminals: true, repositories: true}
  Same(params.capabilities.experimental, {ideCompanion: able})
  Same(params.processId, harness.Eval(child, 'getpid()'))
})

Test('the rules of the user for agents reach the server', (child) => {
  harness.Do(child, 'call extend(g:ide_companion, #{exclude: ["drafts/"], exclude_git_ignored: 1, agent_accept: v:false})')
  harness.Do(child, 'edit ' .. harness.File(child, 'a.txt', ''))
  const params = harness.SentSo(child, 'initialize', 1)[0]
  Same(params.initializationOptions, {exclude: ['drafts/'], excludeGitIgnored: true, agentAccept: false})
})

Test('without rules the server receives none', (child) => {
  harness.Do(child, 'edit ' .. harness.File(child, 'a.txt', ''))
  Same(harness.SentSo(child, 'initialize', 1)[0].initializationOptions,
    {exclude: [], excludeGitIgnored: false, agentAccept: true})
})

Test('unless the user does not want that', (child) => {
  harness.Do(child, 'let g:ide_companion.auto_start = v:false')
  harness.Do(child, 'edit ' .. harness.File(child, 'a.txt', ''))
  harness.Until(child, 'empty(timer_info())')
  Same(child.sent, [])
})

Test('wrong options are named, with what they must be', (child) => {
  harness.Do(child, 'let g:ide_companion.diff = {"layout": "side"}')
  harness.Do(child, 'IdeCompanion start')
  harness.Until(child, 'execute("messages") =~ "diff.layout must be \"vertical\", \"horizontal\" or \"unified\", got"')
  Same(child.sent, [])
})

Test('unknown options are named', (child) => {
  harness.Do(child, 'let g:ide_companion.diff = {"layot": "x"}')
  harness.Do(child, 'IdeCompanion start')
  harness.Until(child, 'execute("messages") =~ "there is no option diff.layot. See :help ide-companion-options"')
  Same(child.sent, [])
})

Test('the command of the server has to end with its word', (child) => {
  harness.Do(child, 'let g:ide_companion.cmd = ["ide-companion"]')
  harness.Do(child, 'IdeCompanion start')
  harness.Until(child, 'execute("messages") =~ "cmd must be a list of words that ends with \"lsp\", got"')
})

Test('loaded late, as by a plugin manager, it starts with the file that is there', (child) => {
  harness.Do(child, 'autocmd! ide_companion_start')
  harness.Do(child, 'edit ' .. harness.File(child, 'a.txt', ''))
  harness.Do(child, 'unlet g:loaded_ide_companion | runtime plugin/ide_companion.vim')
  harness.SentSo(child, 'initialize', 1)
})

Test('a message names a missing program, with the remedy', (child) => {
  harness.Do(child, 'let g:ide_companion = {}')
  harness.Do(child, 'let $PATH = "/nowhere"')
  harness.Do(child, 'IdeCompanion start')
  harness.Until(child, 'execute("messages") =~ "ide-companion is missing: npm install --global ide-companion"')
  Same(harness.Eval(child, 'mode(1)'), 'n')
})

Test('terminals get the variables, as long as the server runs', (child) => {
  status.Tell(child)
  Same(harness.Eval(child, '$IDE_TEST_PORT'), '4711')
  Same(harness.Eval(child, 'ide_companion#Statusline()'), 'Gemini CLI (1)')
  harness.Keys(child, ':terminal ++curwin sh -c "echo port $IDE_TEST_PORT; sleep 100"\<CR>')
  harness.Eventually(child, 'port', () => harness.Screen(child) =~ 'port 4711')
  harness.KillServer(child)
  harness.Until(child, '$IDE_TEST_PORT == "" && ide_companion#Statusline() == ""')
})

Test("an agent's name is run by no status line", (child) => {
  status.Tell(child, '100% %{system("bait")}')
  Same(harness.Eval(child, 'ide_companion#Statusline()'), '100 {system("bait")} (1)')
})

Test('the variables that the user had are back when the server has ended', (child) => {
  harness.Do(child, 'let $IDE_TEST_PORT = "1"')
  status.Tell(child)
  Same(harness.Eval(child, '$IDE_TEST_PORT'), '4711')
  harness.KillServer(child)
  harness.Until(child, '$IDE_TEST_PORT == "1"')
})

Test('without a subcommand the command shows the status', (child) => {
  harness.Do(child, 'IdeCompanion')
  harness.Until(child, 'execute("messages") =~ "The companion is not running. Start it by :IdeCompanion start"')
  status.Tell(child)
  harness.Do(child, 'IdeCompanion')
  harness.Until(child, 'execute("messages") =~ "Port 4711. Connected: Gemini CLI. Waiting for you: 1."')
})

Test('a server of another version is not used', (child) => {
  child.greeting = {capabilities: {}}
  harness.Do(child, 'IdeCompanion start')
  harness.SentSo(child, 'shutdown', 1)
  harness.Until(child, 'execute("messages") =~ "cannot be used: it is of another version than this plugin"')
  Same(harness.Sent(child, 'initialized'), [])
})

Test('a server that dies is started again, ever more slowly', (child) => {
  harness.Start(child)
  harness.KillServer(child)
  harness.Until(child, 'execute("messages") =~ "ide-companion has ended with .*, starting it again in 1 s"')
  harness.Serve(child)
  harness.SentSo(child, 'initialized', 2)
  harness.KillServer(child)
  harness.Until(child, 'execute("messages") =~ "ide-companion has ended with .*, starting it again in 2 s"')
})

Test('a server that never says a word is given up, with its last words', (child) => {
  harness.Do(child, 'let g:ide_companion.cmd = ["sh", "-c", "echo no such luck >&2; exit 7", "lsp"]')
  harness.Do(child, 'IdeCompanion start')
  harness.Until(child, 'execute("messages") =~ "The server ends at once: no such luck"')
  Same(child.sent, [])
})

Test('the end of a server is noticed while a process of its holds its pipes open', (child) => {
  const script = printf('echo $$ >> %s/pid; sleep 60 & exit 7', child.folder)
  harness.Do(child, printf('let g:ide_companion.cmd = ["sh", "-c", "%s", "lsp"]', script))
  harness.Do(child, 'IdeCompanion start')
  harness.Until(child, 'execute("messages") =~ "The server ends at once: exit code 7"')
})

Test('a server that was stopped stays stopped', (child) => {
  harness.Start(child)
  harness.Do(child, 'IdeCompanion stop')
  harness.SentSo(child, 'exit', 1)
  harness.KillServer(child)
  harness.Until(child, 'ide_companion#log#Lines()[-1] =~ "the server has ended"')
  harness.Do(child, 'IdeCompanion log')
  Same(harness.Eval(child, 'getline("$")') =~ 'the server has ended', true)
  Same(harness.Eval(child, 'filter(timer_info(), {_, t -> t.time >= 1000})'), [])
})

Test('one that does not end, and does not listen to a signal either, is ended', (child) => {
  writefile(['trap "" TERM'] + readfile(child.folder .. '/server'), child.folder .. '/server')
  harness.Start(child)
  harness.Do(child, 'IdeCompanion stop')
  harness.SentSo(child, 'exit', 1)
  harness.Until(child, 'ide_companion#log#Lines()[-1] =~ "the server has ended"')
  Same(harness.Eval(child, 'timer_info()'), [])
})

for [name, command] in items({restart: 'restart', 'start that follows a stop': 'stop | IdeCompanion start'})
  const typed = command
  Test('a ' .. name .. ' waits for the end', (child) => {
    harness.Start(child)
    harness.Do(child, 'IdeCompanion ' .. typed)
    harness.SentSo(child, 'exit', 1)
    Same(len(harness.Sent(child, 'initialize')), 1)
    harness.KillServer(child)
    harness.Serve(child)
    harness.SentSo(child, 'initialize', 2)
    Same(harness.Eval(child, 'execute("messages") =~ "starting it again"'), 0)
  })
endfor

Test('the open diffs close when the server dies, and a buffer has what was typed', (child) => {
  harness.Propose(child, {id: '1'})
  harness.Propose(child, {id: '2'})
  harness.Do(child, 'IdeCompanion diff')
  harness.Keys(child, 'Gox\<Esc>')
  harness.KillServer(child)
  harness.UntilGone(child)
  harness.Until(child, 'execute("messages") =~ "The companion has ended: main.ts. Your edits are saved in buffer"')
  Same(harness.Eval(child, 'getbufline(bufnr("Your text: main.ts"), 1, "$")'), ['one', '2', 'three', 'x'])
  Same(harness.Sent(child, 'companion/diffRejected'), [])
})

Test('who types into a diff whose server dies ends their words there', (child) => {
  harness.Propose(child)
  harness.Do(child, 'IdeCompanion diff')
  harness.Keys(child, 'Gox')
  harness.KillServer(child)
  harness.Eventually(child, 'label', () => harness.Screen(child) =~ ':q closes    The companion has ended')
  # A proposal of the next server may have the same number.
  harness.Serve(child)
  harness.SentSo(child, 'initialized', 2)
  Same(harness.Propose(child, {id: '1', newContent: "other\n"}).result, null)
  harness.Keys(child, ' more\<Esc>')
  harness.Until(child, 'execute("messages") =~ "Your edits are saved in buffer"')
  Same(harness.Eval(child, 'getbufline(bufnr("Your text: main.ts"), 1, "$")'), ['one', '2', 'three', 'x more'])
  harness.Until(child, 'len(filter(getbufinfo(), {_, b -> b.name =~ "Gemini CLI"})) == 1')
  Same(harness.Sent(child, 'companion/diffRejected'), [])
  harness.Do(child, 'IdeCompanion accept')
  Same(harness.SentSo(child, 'companion/diffAccepted', 1), [{id: '1', content: "other\n"}])
})

Test('what was accepted when the server died is not lost', (child) => {
  harness.Propose(child)
  harness.Do(child, 'IdeCompanion diff')
  child.result = null # it never answers
  harness.Keys(child, 'Gox\<Esc>:w\<CR>')
  harness.SentSo(child, 'companion/diffAccepted', 1)
  harness.KillServer(child)
  harness.Until(child, 'execute("messages") =~ "Your edits are saved in buffer"')
  Same(harness.Eval(child, 'getbufline(bufnr("Your text: main.ts"), 1, "$")'), ['one', '2', 'three', 'x'])
})

Test('a message that comes in pieces, each of them late, is put together', (child) => {
  harness.Start(child)
  const body = '{"jsonrpc":"2.0","method":"window/showMessage","params":{"type":3,"message":"päng"}}'
  const message = printf("content-length: %d\r\nX: y\r\n\r\n%s", len(body), body)
  for [first, last] in [[0, 9], [10, 24], [25, 90], [91, len(message) - 1]]
    ch_sendraw(child.server, strpart(message, first, last - first + 1))
    sleep 150m
  endfor
  harness.Until(child, 'execute("messages") =~ "päng"')
})

Test('requests that nobody knows are refused', (child) => {
  harness.Start(child)
  Same(harness.Ask(child, 'companion/dance', {}).error, {code: -32601, message: 'unknown: companion/dance'})
  Same(harness.Ask(child, 'companion/readDiff', {id: '7'}).error.message, 'no diff 7 is open')
})

Test('several messages at once do not stop the user for a key', (child) => {
  harness.Start(child)
  for number in range(5)
    harness.SendToPlugin(child, {method: 'window/showMessage', params: {type: 3, message: repeat('long ', 50) .. number}})
  endfor
  harness.Until(child, 'execute("messages") =~ "long"')
  Same(harness.Eval(child, 'mode(1)'), 'n')
})

Test(':IdeCompanion pause and resume are requests, whose answers are shown', (child) => {
  harness.Start(child)
  child.results['companion/pause'] = {message: 'Sharing is another.'}
  harness.Do(child, 'IdeCompanion pause')
  harness.Until(child, 'execute("messages") =~ "Sharing is another."')
  harness.Do(child, 'IdeCompanion resume')
  Same(harness.SentSo(child, 'companion/pause', 2), [{paused: true}, {paused: false}])
})

Test(':IdeCompanion review says and sets when the user reviews, and completes', (child) => {
  harness.Start(child)
  child.results['companion/review'] = {message: 'before: each agent asks.'}
  harness.Do(child, 'IdeCompanion review before')
  harness.Until(child, 'execute("messages") =~ "before: each agent asks."')
  harness.Do(child, 'IdeCompanion review')
  Same(harness.SentSo(child, 'companion/review', 2), [{mode: 'before'}, {}])
  Same(harness.Eval(child, 'getcompletion("IdeCompanion review ", "cmdline")'), ['before', 'after', 'off'])
})

Test('a pause is seen in the status line', (child) => {
  harness.Start(child)
  harness.TellStatus(child, {paused: true, line: 'Gemini CLI paused', sentence: 'Paused: agents are sent nothing.'})
  harness.Until(child, 'ide_companion#Statusline() == "Gemini CLI paused"')
  Same(harness.Eval(child, 'ide_companion#Status().paused'), true)
  harness.Do(child, 'IdeCompanion')
  harness.Until(child, 'execute("messages") =~ "Paused: agents are sent nothing."')
})

Test('an unknown word is answered with those there are', (child) => {
  harness.Start(child)
  harness.Do(child, 'IdeCompanion aceppt')
  harness.Until(child, 'execute("messages") =~ "There is no aceppt, only accept, accept_ahead, accept_all"')
  Same(harness.Eval(child, 'getcompletion("IdeCompanion re", "cmdline")'), ['reject', 'reject_all', 'restart', 'resume', 'revert', 'review'])
  Same(harness.Eval(child, 'getcompletion("IdeCompanion run q", "cmdline")'), ['qwen'])
})

Test(':IdeCompanion doctor names what is missing', (child) => {
  harness.Do(child, 'let g:ide_companion.cmd = ["no-such-program", "lsp"]')
  harness.Do(child, 'IdeCompanion doctor')
  const report = join(harness.Eval(child, 'getline(1, "$")'), "\n")
  Same([report =~ 'MISSING  no-such-program is not in your PATH', report =~ 'MISSING  the companion is not running',
    report =~ 'ok       Vim 9'], [true, true, true])
})

Test(':IdeCompanion doctor shows what the program says of itself and of the agents', (child) => {
  harness.Do(child, 'let g:ide_companion.cmd = ["sh", "-c", "echo its $0", "lsp"]')
  harness.Do(child, 'IdeCompanion doctor')
  const report = join(harness.Eval(child, 'getline(1, "$")'), "\n")
  Same([report =~ 'ok .*sh is version its --version', report =~ '\nits doctor'], [true, true])
})

Test('a message that cannot be handled takes none with it that comes behind', (child) => {
  harness.Propose(child)
  const next = json_encode({jsonrpc: '2.0', id: 99, method: 'companion/closeDiff', params: {id: '1', words: 'Gemini CLI has taken this back'}})
  ch_sendraw(child.server, printf("Content-Length: 1\r\n\r\n{Content-Length: %d\r\n\r\n%s", len(next), next))
  harness.UntilGone(child)
})

Test('a Vim in which git wants a message starts no companion, and says why when it is asked to', (child) => {
  harness.Do(child, 'IdeCompanion stop')
  harness.Until(child, '!ide_companion#server#IsRunning()')
  harness.Do(child, 'let $GIT_EXEC_PATH = "/usr/lib/git-core"')
  harness.Do(child, 'let $GIT_PREFIX = "sub/"')
  harness.Do(child, 'call ide_companion#server#AutoStart()')
  Same(harness.Eval(child, 'ide_companion#server#IsRunning()'), false)
  for command in ['start', 'run gemini']
    harness.Keys(child, printf(':messages clear\<CR>:IdeCompanion %s\<CR>', command))
    harness.Eventually(child, 'reason', () => term_getline(child.terminal, 30)
      =~ 'Git has started this Vim for a message: it serves no agent.')
  endfor
  Same(harness.Eval(child, 'ide_companion#server#IsRunning()'), false)
})
