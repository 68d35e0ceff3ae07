;;; diff-test.el --- Proposals -*- lexical-binding: t; -*-

;;; Commentary:

;; From coming to being decided.

;;; Code:

(require 'fixture)

(ide-companion-deftest "a proposal is shown next to the user's window, which stays selected"
  (let ((window (selected-window)))
    (ide-companion-test-propose)
    (should (eq window (selected-window)))
    (should (equal (ide-companion-test-layout) '("*scratch*" "*Gemini CLI: main.js*")))
    (should (member "Gemini CLI proposes main.js" ide-companion-test-said))
    (ide-companion-next-proposal)
    (should (equal (list major-mode (line-number-at-pos) buffer-read-only) '(js-mode 2 nil)))
    (should (equal (ide-companion-test-shown) "one\ntwo\n2\nthree\n"))))

(ide-companion-deftest "a proposal whose window is closed still waits"
  (ide-companion-test-propose)
  (ide-companion-test-keys "C-x 1")
  (should-not (ide-companion-test-rejected))
  (ide-companion-next-proposal)
  (should (equal (buffer-name (window-buffer)) "*Gemini CLI: main.js*")))

(dolist (name '("copy.js" "copy.txt"))
  (eval
   `(ide-companion-deftest ,(concat "C-x C-w writes a copy, " name ", and decides nothing")
      (let ((copy (expand-file-name ,name ide-companion-test-folder))
            (proposal (ide-companion-test-propose)))
        (ide-companion-next-proposal)
        (let ((before (list (buffer-name) default-directory buffer-file-name major-mode header-line-format)))
          (cl-letf (((symbol-function 'read-file-name) (lambda (&rest _) copy)))
            (ide-companion-test-keys "C-x C-w")
            (should-not (ide-companion--edited-p proposal))
            (ide-companion-test-keys "M-> mine M-x write-file RET y"))
          (should (equal (list (buffer-name) default-directory buffer-file-name major-mode header-line-format)
                         before)))
        (should (equal (with-temp-buffer (insert-file-contents copy) (buffer-string)) "one\n2\nthree\nmine"))
        (should-not (ide-companion-test-accepted))
        (should (ide-companion--edited-p proposal))
        (ide-companion-test-keys "C-x C-s")
        (should (equal (ide-companion-test-accepted) '("one\n2\nthree\nmine")))))
   t))

(ide-companion-deftest "a copy that cannot be written leaves the proposal as it was"
  (ide-companion-test-propose :readOnlyReason "Toy takes no edits.")
  (ide-companion-next-proposal)
  (let ((file (ide-companion-test-file "file" "")))
    (should-error (write-file (concat file "/copy.js"))))
  (should (equal (list (buffer-name) buffer-file-name buffer-read-only) '("*Gemini CLI: main.js*" nil t)))
  (should-not (ide-companion-test-accepted)))

(ide-companion-deftest "a proposal waits on when a clone of its buffer is killed"
  (ide-companion-test-propose)
  (ide-companion-next-proposal)
  (kill-buffer (clone-indirect-buffer "clone" nil))
  (ide-companion-test-settle)
  (should-not (ide-companion-test-rejected))
  (should (equal (ide-companion-test-layout) '("*scratch*" "*Gemini CLI: main.js*"))))

(ide-companion-deftest "what modes of the user's add when a file is saved is not added"
  (let ((before-save-hook (list #'delete-trailing-whitespace))
        (require-final-newline t))
    (ide-companion-test-propose :newContent "one  \ntwo" :original nil)
    (ide-companion-next-proposal)
    (ide-companion-test-keys "M-x basic-save-buffer RET")
    (should-not (ide-companion-test-accepted)) ; nothing was changed: it is as after a save
    (set-buffer-modified-p t)
    (ide-companion-test-keys "M-x basic-save-buffer RET")
    (should (equal (ide-companion-test-accepted) '("one  \ntwo")))))

(ide-companion-deftest "the hooks of a file's mode do not run for a proposal"
  (let* ((ran nil)
         (js-mode-hook (list (lambda () (setq ran t)))))
    (ide-companion-test-propose)
    (should-not ran)))

(ide-companion-deftest "closed by its agent a proposal gives its text back, edits and all"
  (ide-companion-test-propose)
  (ide-companion-next-proposal)
  (ide-companion-test-keys "M-> four RET")
  (should (equal (ide-companion--read '(:id "1")) '(:content "one\n2\nthree\nfour\n")))
  (should (equal (ide-companion--close '(:id "1" :reason "agent")) '(:content "one\n2\nthree\nfour\n")))
  (ide-companion-test-settle)
  (should (equal (ide-companion-test-layout) '("*scratch*")))
  (should-not (ide-companion-test-rejected))
  (should-error (ide-companion--read '(:id "1"))))

(ide-companion-deftest "a new file has no original next to it, and its folder is not made"
  (let ((path (expand-file-name "deep/er/new.js" ide-companion-test-folder)))
    (ide-companion-test-propose :filePath path :original nil :notes ["This is a new file."])
    (ide-companion-next-proposal)
    (should (equal (ide-companion-test-shown) "one\n2\nthree\n"))
    (should (equal default-directory ide-companion-test-folder))
    (should (string-search "This is a new file." (ide-companion--header)))
    (should-not (file-exists-p (file-name-directory path)))))

(ide-companion-deftest "unsaved edits of the file are mentioned and not touched"
  (let ((path (ide-companion-test-file "a b#%[.txt" "old\n")))
    (find-file path)
    (insert "unsaved")
    (ide-companion-test-propose :filePath path :label "a b#%[.txt" :original "old\n")
    (with-current-buffer (ide-companion--proposal-buffer (car ide-companion--proposals))
      (should (string-search "without your unsaved edits" (ide-companion--header)))
      (should (string-search "a b#%%[.txt" (ide-companion--header))))
    (ide-companion-reject)
    (ide-companion-test-settle)
    (should (equal (list (buffer-string) (buffer-modified-p)) '("unsavedold\n" t)))))

(ide-companion-deftest "the buffer of an accepted file follows what its agent writes, and stays read-only"
  (let ((path (ide-companion-test-file "a.txt" "old\n")))
    (find-file path)
    (read-only-mode 1)
    (ide-companion-test-propose :filePath path :newContent "new\n" :original "old\n")
    (ide-companion-accept)
    (ide-companion-test-settle)
    (ide-companion-test-file "a.txt" "new and longer\n")
    (ide-companion--file-written (list :id "1" :filePath path :isWritten t))
    (should (equal (with-current-buffer "a.txt" (buffer-string)) "new and longer\n"))
    (should (equal (with-current-buffer "a.txt" (list (buffer-modified-p) buffer-read-only)) '(nil t)))))

(ide-companion-deftest "a buffer that visits its file by a link is known, too"
  (let ((path (ide-companion-test-file "real/a.txt" "old\n"))
        (link (expand-file-name "link" ide-companion-test-folder)))
    (make-symbolic-link "real" link)
    (find-file (expand-file-name "a.txt" link))
    (insert "unsaved ")
    (ide-companion-test-propose :filePath path :newContent "new\n" :original "old\n")
    (with-current-buffer "*Gemini CLI: main.js*"
      (should (string-search "without your unsaved edits" (ide-companion--header))))
    (revert-buffer t t)
    (ide-companion-accept)
    (ide-companion-test-settle)
    (ide-companion-test-file "real/a.txt" "new and longer\n")
    (ide-companion--file-written (list :id "1" :filePath path :isWritten t))
    (should (equal (with-current-buffer "a.txt" (buffer-string)) "new and longer\n"))))

(ide-companion-deftest "a buffer with unsaved edits stays, and a message says so"
  (let ((path (ide-companion-test-file "a.txt" "old\n")))
    (find-file path)
    (insert "unsaved ")
    (ide-companion-test-propose :filePath path :newContent "new\n" :original "old\n")
    (ide-companion-accept)
    (ide-companion-test-settle)
    (ide-companion-test-file "a.txt" "new and longer\n")
    (ide-companion--file-written (list :id "1" :filePath path :isWritten t))
    (ide-companion-test-until
     (lambda () (cl-find "without your unsaved edits" ide-companion-test-said :test #'string-search)))
    (should (equal (with-current-buffer "a.txt" (buffer-string)) "unsaved old\n"))))

(ide-companion-deftest "what is typed in a proposal is sent, once for many keys, and before Emacs ends"
  (ide-companion-test-propose :newContent "new\n")
  (with-current-buffer "*Gemini CLI: main.js*"
    (dolist (letter '("m" "i" "n" "e ")) (insert letter))
    (should-not (ide-companion-test-sent :companion/draft))
    (ide-companion-test-until (lambda () (ide-companion-test-sent :companion/draft)))
    (insert "and ")
    (ide-companion--send-drafts))
  (should (equal (ide-companion-test-sent :companion/draft)
                 '((:id "1" :content "mine new\n") (:id "1" :content "mine and new\n")))))

(ide-companion-deftest "the open proposals close when the program dies, and a buffer has what was typed"
  (ide-companion-test-propose :id "1")
  (ide-companion-test-propose :id "2" :label "edited")
  (with-current-buffer "*Gemini CLI: edited*" (insert "mine "))
  (ide-companion--orphan)
  (ide-companion-test-settle)
  (should (equal (ide-companion-test-layout) '("*scratch*")))
  (should-not ide-companion--proposals)
  (should-not (ide-companion-test-rejected))
  (should (member "The companion has ended: edited. Your edits are saved in buffer *Your edits: edited*."
                  ide-companion-test-said))
  (should (equal (with-current-buffer "*Your edits: edited*" (buffer-string)) "mine one\n2\nthree\n")))

(ide-companion-deftest "Emacs asks before it exits as long as a proposal waits"
  (cl-letf (((symbol-function 'yes-or-no-p) (lambda (prompt) (push prompt ide-companion-test-said) nil)))
    (should (ide-companion--ask-before-exit))
    (ide-companion-test-propose)
    (should-not (ide-companion--ask-before-exit))
    (should (equal (car ide-companion-test-said)
                   "A proposal for main.js waits for your decision; exit anyway? "))))

(ide-companion-deftest "hooks run for each event"
  (let* (events
         (record (lambda (name) (lambda (proposal) (push (list name (plist-get proposal :path)) events))))
         (ide-companion-diff-opened-functions (list (funcall record 'opened)))
         (ide-companion-diff-accepted-functions (list (funcall record 'accepted)))
         (ide-companion-diff-rejected-functions (list (lambda (_) (error "Mine")) (funcall record 'rejected)))
         (ide-companion-diff-closed-functions (list (funcall record 'closed))))
    (ide-companion-test-propose)
    (ide-companion-accept)
    (ide-companion-test-settle)
    (ide-companion-test-propose :id "2")
    (ide-companion--close '(:id "2"))
    (should (equal (nreverse events)
                   '((opened "/app/main.js") (accepted "/app/main.js")
                     (opened "/app/main.js") (closed "/app/main.js"))))))

(provide 'diff-test)
;;; diff-test.el ends here
