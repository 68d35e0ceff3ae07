vim9script
# The Vim that a test drives: it answers what the test asks, and its server only listens.

const folder = $IDE_TEST_FOLDER
g:ide_companion = {cmd: ['sh', folder .. '/server', 'lsp']}
g:maplocalleader = '\'
g:ide_test_relay = job_start(['sh', '-c', 'cat <> "$0/ask" & cat 1<> "$0/answer"; kill -KILL $!', folder], {mode: 'json'})
runtime plugin/ide_companion.vim

# What went wrong with a command; empty when it went well. An expression that fails reports nothing.
def g:Do(command: string): string
  try
    execute 'legacy' command
  catch
    return v:exception .. ' ' .. v:throwpoint
  endtry
  return ''
enddef
