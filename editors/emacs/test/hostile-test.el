;;; hostile-test.el --- Repositories and agents that mean no good -*- lexical-binding: t; -*-

;;; Commentary:

;; What they name and write is shown, and neither run nor asked for elsewhere.

;;; Code:

(require 'fixture)

(defvar ide-companion-test-ran nil "What a hostile text sets.")

(defconst ide-companion-test-variables
  "-*- mode: sh; eval: (setq ide-companion-test-ran t) -*-
# Local Variables:
# eval: (setq ide-companion-test-ran t)
# End:
" "A text that would run something in an Emacs that lets it.")

(ide-companion-deftest "what a proposal, and the folder of its file, say of variables is not done"
  (let ((enable-local-variables :all)
        (enable-local-eval t)
        (ide-companion-test-ran nil))
    (ide-companion-test-file ".dir-locals.el" "((nil . ((eval . (setq ide-companion-test-ran t)))))")
    (find-file (ide-companion-test-file "opened.js" ""))
    (should ide-companion-test-ran) ; where the user has let it
    (setq ide-companion-test-ran nil)
    (ide-companion-test-propose :filePath (expand-file-name "a.js" ide-companion-test-folder)
                                :original ide-companion-test-variables
                                :newContent (concat ide-companion-test-variables "more\n"))
    (ide-companion-next-proposal)
    (should (eq major-mode 'js-mode))
    (insert "edited")
    (ide-companion-reject)
    (ide-companion-test-settle)
    (should (get-buffer "*Your edits: main.js*"))
    (should-not ide-companion-test-ran)))

(ide-companion-deftest "a repository's variables cannot set options that run something"
  (let (lenient)
    (mapatoms (lambda (symbol)
                (when (and (custom-variable-p symbol)
                           (string-prefix-p "ide-companion-" (symbol-name symbol))
                           (not (risky-local-variable-p symbol)))
                  (push symbol lenient))))
    (should (equal (sort lenient #'string<)
                   '(ide-companion-diff-layout ide-companion-mode ide-companion-on-proposal)))))

(ide-companion-deftest "what turns the reading direction is seen in a proposal, and elsewhere as before"
  (let ((before (aref glyphless-char-display #x202e)))
    (ide-companion-test-propose :newContent "if admin\u202e; // \u2066\n")
    (ide-companion-next-proposal)
    (should (equal (mapcar (lambda (control) (aref glyphless-char-display control)) '(#x202e #x2066))
                   '(hex-code hex-code)))
    (ide-companion-reject)
    (ide-companion-test-settle)
    (should (equal (with-temp-buffer (aref glyphless-char-display #x202e)) before))))

(ide-companion-deftest "a path that looks like one on another machine connects nowhere"
  (let* ((path "/ssh:elsewhere:/app/main.js")
         (connected (expand-file-name "connected" ide-companion-test-folder))
         (ssh (ide-companion-test-file "bin/ssh" (format "#!/bin/sh\ntouch '%s'\n" connected)))
         (process-environment
          (cons (format "PATH=%s:%s" (file-name-directory ssh) (getenv "PATH")) process-environment)))
    (set-file-modes ssh #o755)
    (ide-companion-test-propose :filePath path)
    (ide-companion-next-proposal)
    (should (equal (list major-mode default-directory) '(js-mode "/:/")))
    (insert "edited")
    (ide-companion-reject)
    (ide-companion-test-settle)
    (ide-companion--save-text (ide-companion--local-name path) "main.js" "" "Rejected.")
    (ide-companion--open-file (list :path path))
    (should (equal (ide-companion--diagnostics (list :path path)) '(:diagnostics [])))
    (should-not (file-exists-p connected))))

(provide 'hostile-test)
;;; hostile-test.el ends here
