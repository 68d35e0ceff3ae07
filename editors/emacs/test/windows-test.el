;;; windows-test.el --- Windows of proposals -*- lexical-binding: t; -*-

;;; Commentary:

;; Where proposals are shown, and how one goes from one to the next.

;;; Code:

(require 'fixture)
(require 'ediff)

(ide-companion-deftest "by Ediff the answer at its end decides"
  (let ((ide-companion-diff-layout 'ediff)
        (ediff-window-setup-function #'ediff-setup-windows-plain))
    (ide-companion-test-propose)
    (should (equal (ide-companion-test-layout) '("*scratch*")))
    (ide-companion-next-proposal)
    (set-buffer (window-buffer))
    (should (derived-mode-p 'ediff-mode))
    (cl-letf (((symbol-function 'read-multiple-choice) (lambda (&rest _) '(?a "accept"))))
      (ediff-really-quit nil)
      (ide-companion-test-settle))
    (should (equal (ide-companion-test-accepted) '("one\n2\nthree\n")))
    (should (equal (ide-companion-test-layout) '("*scratch*")))))

(ide-companion-deftest "an Ediff session ends with its proposal, without a question"
  (let ((ide-companion-diff-layout 'ediff)
        (ediff-window-setup-function #'ediff-setup-windows-plain))
    (ide-companion-test-propose)
    (ide-companion-next-proposal)
    (ide-companion--close '(:id "1" :reason "agent"))
    (ide-companion-test-settle)
    (should (equal (ide-companion-test-layout) '("*scratch*")))
    (should-not (cl-find "*Ediff Control" (buffer-list) :test #'string-search :key #'buffer-name))))

(ide-companion-deftest "an edit in Ediff shows no lines that are not in the text"
  (let ((ediff-window-setup-function #'ediff-setup-windows-plain)
        (proposal (ide-companion-test-propose)))
    (ide-companion-next-proposal)
    (ide-companion-test-keys "C-c C-e")
    (with-current-buffer (ide-companion--proposal-buffer proposal)
      (insert "mine ")
      (ide-companion--draw proposal) ; as when the user pauses
      (should (equal (ide-companion-test-shown) (buffer-string))))
    (cl-letf (((symbol-function 'read-multiple-choice) (lambda (&rest _) '(?l "later"))))
      (with-current-buffer (ide-companion--proposal-ediff proposal)
        (ediff-really-quit nil)))
    (with-current-buffer (ide-companion--proposal-buffer proposal)
      (should (string-search "two\n" (ide-companion-test-shown))))))

(ide-companion-deftest "a user who has left Ediff finds no other windows when the agent decides"
  (let ((ide-companion-diff-layout 'ediff)
        (ediff-window-setup-function #'ediff-setup-windows-plain)
        (file (lambda (name) (find-file-noselect (ide-companion-test-file name "")))))
    (dolist (leave (list #'delete-other-windows #'ignore))
      (delete-other-windows)
      (ide-companion-test-propose)
      (ide-companion-next-proposal)
      (select-window (get-buffer-window "*Gemini CLI: main.js*"))
      (select-window (split-window nil nil 'right))
      (funcall leave)
      (switch-to-buffer (funcall file "work.txt"))
      (set-window-buffer (split-window) (funcall file "notes.txt"))
      (let ((window (selected-window)))
        (ide-companion--close '(:id "1" :reason "agent"))
        (ide-companion-test-settle)
        (should (eq window (selected-window))))
      (should (equal (buffer-name (window-buffer)) "work.txt"))
      (should (equal (ide-companion-test-layout) '("work.txt" "notes.txt"))))))

(ide-companion-deftest "two proposals, also for one file, do not clash"
  (ide-companion-test-propose :id "1" :newContent "a\n")
  (ide-companion-test-propose :id "2" :newContent "b\n" :agent "Qwen Code")
  (should (equal (ide-companion-test-layout) '("*scratch*" "*Gemini CLI: main.js*")))
  (ide-companion-accept)
  (ide-companion-test-settle)
  (should (equal (ide-companion-test-accepted) '("a\n")))
  (should (equal (ide-companion-test-layout) '("*scratch*" "*Qwen Code: main.js*")))
  (ide-companion-reject)
  (ide-companion-test-settle)
  (should (equal (ide-companion-test-rejected) '("2")))
  (should (equal (ide-companion-test-layout) '("*scratch*"))))

(ide-companion-deftest "what is accepted from another frame is what the user sees there, not the oldest"
  (ide-companion-test-propose :id "1" :newContent "hidden\n")
  (ide-companion-test-propose :id "2" :newContent "seen\n")
  (ide-companion-next-proposal)
  (ide-companion-next-proposal)
  (select-window (get-buffer-window "*scratch*"))
  (set-buffer "*scratch*")
  ;; As if the other window were in another frame.
  (cl-letf* ((find (symbol-function 'get-buffer-window))
             ((symbol-function 'get-buffer-window)
              (lambda (buffer &optional frames) (and frames (funcall find buffer frames)))))
    (ide-companion-accept))
  (ide-companion-test-settle)
  (should (equal (ide-companion-test-accepted) '("seen\n"))))

(ide-companion-deftest "a second proposal says that it waits, and which key goes there"
  (ide-companion-test-propose :id "1" :label "one")
  (should (equal (car ide-companion-test-said) "Gemini CLI proposes one"))
  (ide-companion-test-propose :id "2" :label "two")
  (should (equal (car ide-companion-test-said)
                 "Gemini CLI proposes two; it waits: M-x ide-companion-next-proposal"))
  (ide-companion-next-proposal)
  (let ((header (lambda () (with-current-buffer (window-buffer) (ide-companion--header)))))
    (should (string-search " 1 of 2  C-c C-c accepts, C-c C-k rejects  M-n: next  Gemini CLI proposes one" (funcall header)))
    (ide-companion-test-keys "C-c C-v")
    (should (string-search " 2 of 2  " (funcall header)))
    (ide-companion--close '(:id "1"))
    (should-not (string-search " of " (funcall header)))))

(ide-companion-deftest "one goes from proposal to proposal, and back in the end"
  (let ((window (selected-window)))
    (dolist (id '("1" "2" "3"))
      (ide-companion-test-propose :id id :label id))
    (dolist (label '("1" "2" "3" "1"))
      (ide-companion-next-proposal)
      (should (equal (buffer-name (window-buffer)) (format "*Gemini CLI: %s*" label)))
      (should (= 2 (length (window-list)))))
    (ide-companion-test-keys "C-c C-c")
    (should (eq window (selected-window)))
    (should (= 2 (length ide-companion--proposals)))))

(ide-companion-deftest "the windows of the user are as before"
  (let ((state (lambda ()
                 (mapcar (lambda (window)
                           (list (window-buffer window) (window-edges window) (window-start window)
                                 (window-point window) (eq window (selected-window))))
                         (window-list nil nil (frame-first-window)))))
        (other (get-buffer-create "other")))
    (with-current-buffer other (dotimes (line 100) (insert (format "%d\n" line))))
    (set-window-buffer (split-window nil nil 'right) other)
    (set-window-start (get-buffer-window other) 40)
    (set-window-point (get-buffer-window other) 60)
    (let ((before (funcall state)))
      (ide-companion-test-propose)
      (ide-companion-accept)
      (ide-companion-test-settle)
      (should (equal (funcall state) before)))))

(ide-companion-deftest "a window that was borrowed shows again what it did"
  (let ((ide-companion-display-action '(display-buffer-use-some-window (inhibit-same-window . t)))
        (other (get-buffer-create "other")))
    (set-window-buffer (split-window) other)
    (ide-companion-test-propose :id "1")
    (ide-companion-test-propose :id "2")
    (ide-companion-next-proposal)
    (ide-companion-next-proposal)
    (ide-companion-accept)
    (ide-companion-test-settle)
    (ide-companion-accept)
    (ide-companion-test-settle)
    (should (equal (ide-companion-test-layout) '("*scratch*" "other")))))

(ide-companion-deftest "a window that the user has taken for something else stays"
  (let ((proposal (ide-companion-test-propose)))
    (set-window-buffer (get-buffer-window (ide-companion--proposal-buffer proposal))
                       (get-buffer-create "mine"))
    (ide-companion-accept)
    (ide-companion-test-settle)
    (should (equal (ide-companion-test-layout) '("*scratch*" "mine")))))

(ide-companion-deftest "only a frame that was made for a proposal is deleted with it"
  (pcase-dolist (`(,type ,expected) '((window 0) (frame 1)))
    (let ((deleted 0)
          (ide-companion-display-action
           (list (lambda (buffer _)
                   (let ((window (split-window)))
                     (set-window-buffer window buffer)
                     (set-window-parameter window 'quit-restore (list type type nil buffer))
                     window)))))
      (ide-companion-test-propose)
      (ide-companion-next-proposal)
      (ide-companion-test-keys "C-x 1")
      ;; As if there were another frame.
      (cl-letf (((symbol-function 'window-deletable-p) (lambda (&rest _) 'frame))
                ((symbol-function 'delete-frame) (lambda (&rest _) (setq deleted (1+ deleted)))))
        (ide-companion-test-keys "C-c C-c"))
      (should (equal deleted expected))
      (should (equal (ide-companion-test-layout) '("*scratch*"))))))

(ide-companion-deftest "a proposal with only a message changes no window"
  (let ((ide-companion-on-proposal 'message))
    (ide-companion-test-propose)
    (should (equal (ide-companion-test-layout) '("*scratch*")))
    (ide-companion-next-proposal)
    (should (= 2 (length (window-list))))))

(ide-companion-deftest "a proposal is gone to at once, if the user wants that"
  (let ((ide-companion-on-proposal 'select))
    (ide-companion-test-propose)
    (should (equal (buffer-name (window-buffer)) "*Gemini CLI: main.js*"))))

(dolist (half '("C-c" "C-u"))
  (eval
   `(ide-companion-deftest ,(concat "no window changes after " half ", half of what the user types")
      (ide-companion-test-propose :id "1" :label "seen")
      (ide-companion-next-proposal)
      (let ((prefix-arg ,(and (equal half "C-u") ''(4))))
        (cl-letf (((symbol-function 'this-single-command-keys) (lambda () ,(if (equal half "C-c") [?\C-c] []))))
          (ide-companion--open (list :id "2" :agent "Gemini CLI" :filePath "/app/main.js" :label "next"
                                     :newContent "new\n" :original "old\n" :notes []))
          (ide-companion--close '(:id "1"))
          (ide-companion--do-later)
          (should (equal (buffer-name (window-buffer)) "*Gemini CLI: seen*"))
          (should-error (ide-companion-accept) :type 'user-error)))
      (ide-companion-test-keys "C-f")
      (should-not (ide-companion-test-accepted))
      (should (equal (ide-companion-test-layout) '("*scratch*" "*Gemini CLI: next*"))))
   t))

(ide-companion-deftest "a region stays active when a proposal comes"
  (let ((transient-mark-mode t))
    (switch-to-buffer "words")
    (insert "one two")
    (push-mark 1 t t)
    (ide-companion-test-propose)
    (should (region-active-p))))

(ide-companion-deftest "in 80 columns a proposal with a long path shows its warnings, its keys and how many wait"
  (set-frame-size nil 80 24)
  (let ((label "packages/companion/src/frontends/deeply/nested/folder/main.js"))
    (dolist (id '("1" "2"))
      (ide-companion-test-propose :id id :filePath (concat "/app/" label) :label label
                                  :facts ["replaces 3 non-UTF-8 lines" "only white space"])))
  (let ((header (with-current-buffer (window-buffer (get-buffer-window (ide-companion--proposal-buffer
                                                                        (car ide-companion--proposals))))
                  (should (equal (substring-no-properties (car mode-line-buffer-identification))
                                 "Gemini CLI: main.js"))
                  (ide-companion--header))))
    (should (string-prefix-p (concat " 1 of 2  replaces 3 non-UTF-8 lines, only white space"
                                     "  C-c C-c accepts, C-c ")
                             (substring header 0 80)))))

(ide-companion-deftest "what a diff shows badly is in sight, as the program says it of the text as it stands"
  (let ((proposal (ide-companion-test-propose :facts ["replaces 1 non-UTF-8 line" "only white space"])))
    (should (member "Gemini CLI proposes main.js: replaces 1 non-UTF-8 line, only white space"
                    ide-companion-test-said))
    (ide-companion--update '(:id "1" :original "one\ntwo\n" :newContent "one \ntwo\n" :content "one \ntwo\n"
                             :seen "one\n2\nthree\n" :words ["It has changed." "merged with it" "merged"] :notes []
                             :facts ["replaces 2 non-UTF-8 lines"]))
    (should (member "It has changed." ide-companion-test-said))
    (should (equal (ide-companion--facts proposal) '("replaces 2 non-UTF-8 lines" "merged")))
    (with-current-buffer (ide-companion--proposal-buffer proposal) (insert "typed"))
    (ide-companion-test-until (lambda () (equal (ide-companion--facts proposal) '("merged"))))))

(ide-companion-deftest "a list takes the window of no proposal"
  (set-frame-size nil 80 24)
  (let ((ide-companion-test-texts '(("1" . "+1 -1")))
        (ide-companion-test-result
         (quote (:rows [(:id "1" :label "packages/companion/src/deep/main.js" :at 0 :text "It ended." :agent "Toy" :actions [])]))))
    (ide-companion-test-propose)
    (ide-companion-proposals)
    (should (equal (ide-companion-test-layout) '("*ide-companion waiting*" "*Gemini CLI: main.js*")))
    (ide-companion-edits)
    (should (string-search "…on/src/deep/main.js " (buffer-string)))
    (should (equal (ide-companion-test-layout) '("*ide-companion edits*" "*Gemini CLI: main.js*")))
    (ide-companion-next-proposal)
    (set-buffer (window-buffer))
    (ide-companion-proposals)
    (should (equal (ide-companion-test-layout) '("*ide-companion waiting*" "*Gemini CLI: main.js*")))))

(ide-companion-deftest "Ediff shows a change of white space alone, whatever the user has it ignore"
  (require 'ediff)
  (let ((ediff-window-setup-function #'ediff-setup-windows-plain)
        (before (default-value 'ediff-actual-diff-options)))
    (setq-default ediff-actual-diff-options "-w")
    (unwind-protect
        (let ((proposal (ide-companion-test-propose :original "\ta\n" :newContent "  a\n")))
          (ide-companion-next-proposal)
          (ide-companion-test-keys "C-c C-e")
          (with-current-buffer (ide-companion--proposal-ediff proposal)
            (should (equal ediff-number-of-differences 1))
            (cl-letf (((symbol-function 'read-multiple-choice) (lambda (&rest _) '(?l "later"))))
              (ediff-really-quit nil))))
      (setq-default ediff-actual-diff-options before))))

(provide 'windows-test)
;;; windows-test.el ends here
