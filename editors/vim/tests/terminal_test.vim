vim9script

import './harness.vim'
import './status.vim'

const Test = harness.Test
const Same = harness.Same

# Agents run in terminals here that print their command and go on.
def WithAgents(child: dict<any>, terminal: string)
  harness.Do(child, printf('let g:ide_companion = #{cmd: ["sh", "%s/cmd", "lsp"], terminal: %s}', child.folder, terminal))
  writefile(['[ "$1" = lsp ] && exec sh ' .. child.folder .. '/server', 'echo "agent $@"; exec cat'], child.folder .. '/cmd')
  status.Tell(child)
enddef

def RunAgent(child: dict<any>, agent: string)
  harness.Do(child, 'IdeCompanion run ' .. agent)
  harness.Eventually(child, agent, () => harness.Screen(child) =~ 'agent run ' .. agent)
enddef

# What the windows of the tab show, each with its width.
def WindowsOfTab(child: dict<any>): list<any>
  return harness.Eval(child, 'map(range(1, winnr("$")), {_, n -> [bufname(winbufnr(n)), winwidth(n)]})')
enddef

Test('nothing is sent of what is no file', (child) => {
  harness.Do(child, 'IdeCompanion send')
  harness.Until(child, 'execute("messages") =~ "There is no file in this window whose lines could be sent."')
})

Test('an agent that waits for a server which ends is not started later', (child) => {
  harness.Start(child)
  const greeting = child.greeting
  child.greeting = null # it answers nothing now
  harness.Do(child, 'IdeCompanion run gemini')
  harness.SentSo(child, 'companion/review', 1)
  harness.KillServer(child)
  harness.Until(child, 'execute("messages") =~ "starting it again"')
  child.greeting = greeting
  harness.Serve(child)
  harness.SentSo(child, 'initialized', 2)
  harness.SendToPlugin(child, {method: 'companion/status', params: status.message})
  harness.Until(child, 'ide_companion#Status().port == 4711')
  Same(harness.Eval(child, 'len(getwininfo())'), 1)
})

Test('an agent runs in a split, and gets what is sent to it', (child) => {
  harness.Do(child, 'let g:ide_companion.cmd = ["sh", "' .. child.folder .. '/cmd", "lsp"]')
  writefile(['[ "$1" = lsp ] && exec sh ' .. child.folder .. '/server', 'echo "$@ $IDE_TEST_PORT"; exec cat'],
    child.folder .. '/cmd')
  harness.Do(child, 'edit ' .. harness.File(child, 'a b.txt', "1\n2\n3\n")->escape(' '))
  harness.Do(child, 'cd ' .. child.folder .. '/files')
  status.Tell(child)
  harness.Do(child, 'IdeCompanion run gemini -i hello')
  harness.Eventually(child, 'agent', () => harness.Screen(child) =~ 'run gemini -- -i hello 4711')
  harness.Do(child, 'wincmd p')
  child.results['companion/send'] = {message: '', types: true, copy: '@a\ b.txt (lines 2-3) '}
  harness.Keys(child, ':2,3IdeCompanion send\<CR>')
  harness.Eventually(child, 'reference', () => stridx(harness.Screen(child), '@a\ b.txt (lines 2-3)') >= 0)
})

Test('the companion puts a reference into the prompt of an agent that supports it', (child) => {
  const path = harness.File(child, 'a b.txt', "1\n2\n3\n")
  harness.Do(child, 'edit ' .. escape(path, ' '))
  child.results['companion/send'] = {message: 'The prompt of Another Agent has the reference'}
  harness.Start(child)
  harness.Keys(child, ':2,3IdeCompanion send\<CR>')
  harness.Until(child, 'execute("messages") =~ "The prompt of Another Agent has the reference"')
  harness.Keys(child, ':%IdeCompanion send\<CR>')
  const lines = {first: 2, last: 3}
  Same(harness.SentSo(child, 'companion/send', 2)->mapnew((_, sent) => sent.mentions),
    [[{path: path, lines: lines}], [{path: path}]])
})

Test('an agent has one terminal, which :IdeCompanion run shows, goes to and hides', (child) => {
  WithAgents(child, '{}')
  RunAgent(child, 'gemini')
  Same(WindowsOfTab(child), [['', 49], ['Gemini CLI', 50]])
  harness.Do(child, 'wincmd h')
  harness.Do(child, 'IdeCompanion run gemini')
  Same([harness.Eval(child, 'bufname()'), len(WindowsOfTab(child))], ['Gemini CLI', 2]) # gone to
  harness.Do(child, 'IdeCompanion run gemini')
  Same(WindowsOfTab(child), [['', 100]]) # hidden
  RunAgent(child, 'gemini')
  Same(WindowsOfTab(child), [['', 49], ['Gemini CLI', 50]])
  harness.Keys(child, 'typed\<CR>') # its user is in it
  harness.Eventually(child, 'typed', () => harness.Screen(child) =~ 'typed')
})

Test('the terminals of two agents keep their width, however many windows come', (child) => {
  WithAgents(child, '#{size: 30}')
  RunAgent(child, 'gemini')
  harness.Do(child, 'wincmd h')
  harness.Do(child, 'vsplit')
  harness.Do(child, 'wincmd =')
  Same(WindowsOfTab(child), [['', 34], ['', 34], ['Gemini CLI', 30]])
  harness.Do(child, 'only')
  RunAgent(child, 'qwen')
  Same(WindowsOfTab(child), [['', 69], ['Qwen Code', 30]])
})

Test('agents that are shown at once share one column, and one agent may have several terminals', (child) => {
  WithAgents(child, '{}')
  RunAgent(child, 'gemini')
  harness.Do(child, 'wincmd h')
  harness.Do(child, 'IdeCompanion run gemini:2')
  harness.Eventually(child, 'a second one', () => len(WindowsOfTab(child)) == 3)
  Same(WindowsOfTab(child), [['', 49], ['Gemini CLI', 50], ['Gemini CLI 2', 50]])
  harness.Do(child, 'IdeCompanion run gemini:2')
  Same(WindowsOfTab(child), [['', 49], ['Gemini CLI', 50]]) # it alone is hidden
  harness.Do(child, 'wincmd t')
  harness.Do(child, 'bwipeout! ' .. harness.Eval(child, 'bufnr("Gemini CLI 2")'))
  harness.Do(child, 'edit x | edit y | split x') # x is the alternate file, in a window
  harness.Do(child, 'bwipeout! ' .. harness.Eval(child, 'bufnr("Gemini CLI")'))
  RunAgent(child, 'gemini')
  harness.Eventually(child, 'its window', () => len(WindowsOfTab(child)) == 3)
  Same(WindowsOfTab(child)[2], ['Gemini CLI', 50]) # a column, not a part of a window of x
})

Test('an agent goes on with its last session, if it has the option', (child) => {
  WithAgents(child, '{}')
  harness.Do(child, 'IdeCompanion continue gemini')
  harness.Eventually(child, 'arguments', () => harness.Screen(child) =~ 'agent run gemini -- --resume latest')
  harness.Do(child, 'wincmd h')
  harness.Do(child, 'IdeCompanion continue gemini')
  harness.Until(child, 'bufname() == "Gemini CLI"') # it runs: gone to
  Same(len(WindowsOfTab(child)), 2)
  harness.Do(child, 'wincmd h')
  harness.Do(child, 'IdeCompanion continue qwen')
  harness.Until(child, 'execute("messages") =~ "Qwen Code has no last session that it could go on with"')
  harness.Do(child, 'IdeCompanion toggle')
  Same(WindowsOfTab(child), [['', 100]])
  harness.Do(child, 'IdeCompanion continue') # the one that was shown last
  harness.Until(child, 'winnr("$") == 2')
  Same(WindowsOfTab(child), [['', 49], ['Gemini CLI', 50]])
})

Test('the user chooses an agent where none was shown', (child) => {
  WithAgents(child, '{}')
  harness.Do(child, 'call timer_start(0, {-> execute("IdeCompanion toggle")})')
  harness.Eventually(child, 'the menu', () => harness.Screen(child) =~ 'Gemini CLI\_.*Qwen Code')
  harness.Keys(child, 'j\<CR>')
  harness.Eventually(child, 'qwen', () => harness.Screen(child) =~ 'agent run qwen')
})

Test('toggle hides and shows the terminal that was shown last, focus goes there and back', (child) => {
  WithAgents(child, '{}')
  RunAgent(child, 'gemini')
  harness.Do(child, 'wincmd h')
  harness.Do(child, 'IdeCompanion toggle')
  Same(WindowsOfTab(child), [['', 100]])
  harness.Do(child, 'IdeCompanion toggle')
  Same([harness.Eval(child, 'bufname()'), WindowsOfTab(child)], ['Gemini CLI', [['', 49], ['Gemini CLI', 50]]])
  harness.Do(child, 'IdeCompanion focus')
  Same([harness.Eval(child, 'bufname()'), len(WindowsOfTab(child))], ['', 2]) # back
  harness.Do(child, 'IdeCompanion focus')
  Same(harness.Eval(child, 'bufname()'), 'Gemini CLI')
})

Test('the companion reads the screen of a terminal by one of some processes, and types into it as one paste', (child) => {
  WithAgents(child, '{}')
  writefile(['[ "$1" = lsp ] && exec sh ' .. child.folder .. '/server', 'stty -icanon -echo; echo "agent $@"; exec cat -v'],
    child.folder .. '/cmd')
  RunAgent(child, 'gemini')
  const pid = harness.Eval(child, 'job_info(term_getjob("")).process')
  harness.Do(child, 'wincmd h')
  const read = harness.Ask(child, 'companion/readTerminal', {pids: [1, pid]}).result
  Same([read.pid, read.screen =~ '^agent run gemini --\n\n', len(split(read.screen, "\n", true))], [pid, true, 28])
  Same(harness.Ask(child, 'companion/readTerminal', {pids: [1]}).result, {})
  harness.Ask(child, 'companion/typeInTerminal', {pid: pid, text: "Why?\nSo."})
  const IsThere = () => harness.Ask(child, 'companion/readTerminal', {pids: [pid]}).result.screen =~ '\^\[\[200\~Why?\nSo.\^\[\[201\~'
  harness.Eventually(child, 'the paste', IsThere)
})

Test('an agent that has ended starts again in its window', (child) => {
  WithAgents(child, '{}')
  RunAgent(child, 'gemini')
  harness.Keys(child, '\<C-D>')
  harness.Until(child, 'term_getstatus("") =~ "finished"')
  RunAgent(child, 'gemini')
  Same(WindowsOfTab(child), [['', 49], ['Gemini CLI', 50]])
})

# Which window of the tab it is, and its width.
const positions = {left: [0, 50], below: [1, 100], above: [0, 100], tab: [0, 100]}
for [key, value] in items(positions)
  const position = key
  const window = value
  Test('the terminal of an agent can be placed: ' .. position, (child) => {
    WithAgents(child, printf('#{position: "%s"}', position))
    RunAgent(child, 'gemini')
    Same(WindowsOfTab(child)[window[0]], ['Gemini CLI', window[1]])
    harness.Do(child, 'IdeCompanion run gemini')
    Same(WindowsOfTab(child), [['', 100]])
  })
endfor

Test('agents run in tmux if the user wants it', (child) => {
  WithAgents(child, '#{tmux: v:true}')
  harness.Do(child, 'IdeCompanion run gemini:2 fix')
  harness.Eventually(child, 'tmux', () => harness.Screen(child) =~ 'agent run --tmux gemini:2 gemini -- fix')
})
