vim9script
# vim -es -Nu NONE -i NONE --cmd 'set rtp^=editors/vim' -S editors/vim/tests/run.vim
# $IDE_TEST_ONLY is a pattern for the names of those that are to run.

import './harness.vim'

for path in sort(glob(expand('<sfile>:p:h') .. '/*_test.vim', true, true))
  execute 'source' fnameescape(path)
endfor
harness.Finish()
